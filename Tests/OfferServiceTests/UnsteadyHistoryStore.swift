import EligibilityRules
import OfferStore
import OfferStoreTesting
import Synchronization

/// Histories in memory that can be away, or let something happen right after a reading.
final class UnsteadyHistoryStore: HistoryStore {
    private let store: MemoryHistoryStore
    private let away = Mutex(false)
    private let next = Mutex<(@Sendable () async -> Void)?>(nil)

    init(_ file: MemoryHistoryFile) { store = MemoryHistoryStore(file) }

    /// Whether every call fails.
    var isAway: Bool {
        get { away.withLock { $0 } }
        set { away.withLock { $0 = newValue } }
    }

    /// Runs once, between the next reading of what is due and its use.
    func afterNextDue(_ body: @escaping @Sendable () async -> Void) { next.withLock { $0 = body } }

    private func reached() throws(StoreError) -> MemoryHistoryStore {
        guard !isAway else { throw StoreError(.unavailable, "away") }
        return store
    }

    func isEmpty() async throws(StoreError) -> Bool { try await reached().isEmpty() }

    func find(_ queries: [HistoryQuery], completion: @escaping Found) {
        do { try reached().find(queries, completion: completion) } catch { completion(.failure(error)) }
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
        bundleID: String,
        now: Instant
    ) async throws(StoreError) -> BindingOutcome {
        try await reached().bind(originalTransactionID: originalTransactionID, to: claim, bundleID: bundleID, now: now)
    }

    func join(
        alias: String,
        into customerID: String,
        bundleID: String,
        now: Instant
    ) async throws(StoreError) -> JoiningOutcome {
        try await reached().join(alias: alias, into: customerID, bundleID: bundleID, now: now)
    }

    func aliases(of customerID: String, bundleID: String) async throws(StoreError) -> [String] {
        try await reached().aliases(of: customerID, bundleID: bundleID)
    }

    func customers(named names: [String], bundleID: String) async throws(StoreError) -> [String] {
        try await reached().customers(named: names, bundleID: bundleID)
    }

    func unbind(
        originalTransactionID: String,
        from customerID: String,
        bundleID: String,
        now: Instant
    ) async throws(StoreError) -> BindingOutcome {
        try await reached().unbind(
            originalTransactionID: originalTransactionID, from: customerID, bundleID: bundleID, now: now)
    }

    func hasNotification(key: [UInt8], bundleID: String) async throws(StoreError) -> Bool {
        try await reached().hasNotification(key: key, bundleID: bundleID)
    }

    func erase(customerID: String, bundleID: String, now: Instant) async throws(StoreError) -> ErasedHistory {
        try await reached().erase(customerID: customerID, bundleID: bundleID, now: now)
    }

    func dueForPolling(bundleID: String, now: Instant, limit: Int) async throws(StoreError) -> [PollTarget] {
        let due = try await reached().dueForPolling(bundleID: bundleID, now: now, limit: limit)
        await next.withLock { $0.take() }?()
        return due
    }

    func schedulePolling(of target: PollTarget, at instant: Instant?) async throws(StoreError) {
        try await reached().schedulePolling(of: target, at: instant)
    }

    func scheduleNextPolling(of target: PollTarget, askedAt instant: Instant) async throws(StoreError) {
        try await reached().scheduleNextPolling(of: target, askedAt: instant)
    }

    func seenGroups(bundleID: String) async throws(StoreError) -> [ExactText: String] {
        try await reached().seenGroups(bundleID: bundleID)
    }

    func notifications(
        bundleID: String,
        originalTransactionID: String
    ) async throws(StoreError) -> [NotificationRecord] {
        try await reached().notifications(bundleID: bundleID, originalTransactionID: originalTransactionID)
    }
}
