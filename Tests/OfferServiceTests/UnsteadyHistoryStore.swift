import EligibilityRules
import OfferStore
import OfferStoreTesting
import Synchronization

/// Histories that can be away. A look-up is answered within the call.
final class UnsteadyHistoryStore: HistoryStore {
    private let store: any HistoryStore
    private let away = Mutex(false)

    init(_ store: any HistoryStore) { self.store = store }

    /// Whether every call fails.
    var isAway: Bool {
        get { away.withLock { $0 } }
        set { away.withLock { $0 = newValue } }
    }

    private func reached() throws(StoreError) -> any HistoryStore {
        guard !isAway else { throw StoreError(.unavailable, "away") }
        return store
    }

    func isEmpty() async throws(StoreError) -> Bool { try await reached().isEmpty() }

    func find(_ queries: [HistoryQuery], completion: @escaping Found) {
        do throws(StoreError) {
            let store = try reached()
            completion(called { store.find(queries, completion: $0) })
        } catch {
            completion(.failure(error))
        }
    }

    func wholeHistory(of query: HistoryQuery) async throws(StoreError) -> StoredHistory {
        try await reached().wholeHistory(of: query)
    }

    func apply(_ changes: [HistoryChange], completion: @escaping Completion) {
        do { try reached().apply(changes, completion: completion) } catch { completion(.failure(error)) }
    }

    func bind(
        originalTransactionID: String,
        to claim: CustomerClaim,
        partition: AppPartition,
        now: Instant
    ) async throws(StoreError) -> BindingOutcome {
        try await reached().bind(originalTransactionID: originalTransactionID, to: claim, partition: partition, now: now)
    }

    func join(
        alias: String,
        into customerID: String,
        partition: AppPartition,
        now: Instant
    ) async throws(StoreError) -> JoiningOutcome {
        try await reached().join(alias: alias, into: customerID, partition: partition, now: now)
    }

    func aliases(of customerID: String, partition: AppPartition) async throws(StoreError) -> [String] {
        try await reached().aliases(of: customerID, partition: partition)
    }

    func customers(named names: [String], partition: AppPartition) async throws(StoreError) -> [String] {
        try await reached().customers(named: names, partition: partition)
    }

    func unbind(
        originalTransactionID: String,
        from customerID: String,
        partition: AppPartition,
        now: Instant
    ) async throws(StoreError) -> BindingOutcome {
        try await reached().unbind(
            originalTransactionID: originalTransactionID, from: customerID, partition: partition, now: now)
    }

    func hasNotification(key: [UInt8], partition: AppPartition) async throws(StoreError) -> Bool {
        try await reached().hasNotification(key: key, partition: partition)
    }

    func erase(customerID: String, partition: AppPartition, now: Instant) async throws(StoreError) -> ErasedHistory {
        try await reached().erase(customerID: customerID, partition: partition, now: now)
    }

    func claimForPolling(
        partition: AppPartition,
        dueAt now: Instant,
        until: Instant,
        limit: Int
    ) async throws(StoreError) -> [PollTarget] {
        try await reached().claimForPolling(partition: partition, dueAt: now, until: until, limit: limit)
    }

    func schedulePolling(of target: PollTarget, at instant: Instant?) async throws(StoreError) {
        try await reached().schedulePolling(of: target, at: instant)
    }

    func scheduleNextPolling(of target: PollTarget, askedAt instant: Instant) async throws(StoreError) {
        try await reached().scheduleNextPolling(of: target, askedAt: instant)
    }

    func seenGroups(partition: AppPartition) async throws(StoreError) -> [ExactText: String] {
        try await reached().seenGroups(partition: partition)
    }

    func blankNotifications(servedSince age: Int64, of total: Int64, limit: Int) async throws(StoreError) -> Int {
        try await reached().blankNotifications(servedSince: age, of: total, limit: limit)
    }

    func notifications(
        partition: AppPartition,
        originalTransactionID: String
    ) async throws(StoreError) -> [NotificationRecord] {
        try await reached().notifications(partition: partition, originalTransactionID: originalTransactionID)
    }

    func notificationBody(key: [UInt8], partition: AppPartition) async throws(StoreError) -> [UInt8] {
        try await reached().notificationBody(key: key, partition: partition)
    }
}
