public import EligibilityRules

/// The customers' purchase histories, merged from all sources, and their owners.
public protocol HistoryStore: Sendable {
    /// Receives one result for each query, in order. Called on any thread.
    typealias Found = @Sendable (Result<[HistoryRecord], StoreError>) -> Void
    /// Receives one outcome for each change, in order, or the reason why nothing was written. Called on any thread.
    typealias Completion = @Sendable (Result<[HistoryOutcome], StoreError>) -> Void

    /// Whether nothing was ever stored.
    func isEmpty() async throws(StoreError) -> Bool

    /// Finds what can still decide about customers' offers, or everything that is known where a query says so.
    ///
    /// Each query costs one index look-up. Does not block.
    func find(_ queries: [HistoryQuery], completion: @escaping Found)

    /// Everything known of one customer, including other purchases and past facts.
    func wholeHistory(of query: HistoryQuery) async throws(StoreError) -> StoredHistory

    /// Everything known of several customers, in the order of the queries, in one query of the database where the store can.
    func wholeHistories(of queries: [HistoryQuery]) async throws(StoreError) -> [StoredHistory]

    /// Merges changes. Those of many callers share one durable transaction. Does not block.
    func apply(_ changes: [HistoryChange], completion: @escaping Completion)

    /// Binds a subscription, known or not yet known, to a customer.
    ///
    /// Its predecessors and successors move with it, as far as they belong to the same customer.
    ///
    /// The subscription moves away from another customer only if that customer's proof is weaker. So even `transferred` does not
    /// move it from a customer to whom it was transferred before.
    func bind(
        originalTransactionID: String,
        to claim: CustomerClaim,
        partition: AppPartition,
        now: Instant
    ) async throws(StoreError) -> BindingOutcome

    /// Unbinds a subscription from a customer, with all that `bind` would move.
    ///
    /// Afterwards the next customer who claims the subscription becomes its owner.
    func unbind(
        originalTransactionID: String,
        from customerID: String,
        partition: AppPartition,
        now: Instant
    ) async throws(StoreError) -> BindingOutcome

    /// Joins two customers. All that belongs to `alias`, now or later, then belongs to the customer.
    func join(
        alias: String,
        into customerID: String,
        partition: AppPartition,
        now: Instant
    ) async throws(StoreError) -> JoiningOutcome

    /// The other names of a customer, sorted.
    ///
    /// For an alias, these are the customer's own name and the other aliases.
    func aliases(of customerID: String, partition: AppPartition) async throws(StoreError) -> [String]

    /// The customers that names refer to, in order: the name itself, unless it is an alias.
    func customers(named names: [String], partition: AppPartition) async throws(StoreError) -> [String]

    /// Removes the customer's names from their purchases, and deletes the customer's record.
    ///
    /// The purchases stay, without an owner: they are the App Store's statements about an Apple account. A customer who could
    /// have them deleted could take every introductory offer again.
    func erase(customerID: String, partition: AppPartition, now: Instant) async throws(StoreError) -> ErasedHistory

    /// Claims an app's subscriptions due for polling, the longest due first. Defers them, so that no other process claims them.
    ///
    /// - Parameter until: when they are due again, unless another time is set.
    func claimForPolling(
        partition: AppPartition,
        dueAt now: Instant,
        until: Instant,
        limit: Int
    ) async throws(StoreError) -> [PollTarget]

    /// Sets when to poll a subscription next; nil for never.
    func schedulePolling(of target: PollTarget, at instant: Instant?) async throws(StoreError)

    /// Sets when to poll a subscription next, according to what the store knows of it now. Call it just after a poll.
    func scheduleNextPolling(of target: PollTarget, askedAt instant: Instant) async throws(StoreError)

    /// The subscription groups that the App Store has named for an app's products, by product id.
    func seenGroups(partition: AppPartition) async throws(StoreError) -> [ExactText: String]

    /// Whether a notification was received before.
    ///
    /// - Parameter key: the key of its record.
    func hasNotification(key: [UInt8], partition: AppPartition) async throws(StoreError) -> Bool

    /// Deletes the content of notifications that were received at least this many milliseconds of served time ago, the oldest
    /// first.
    ///
    /// Their keys stay, so a repeated notification is still recognised. The purchases that they reported stay, too.
    ///
    /// Ages are exact to the hour, and count from the first call on. They do not depend on a clock.
    ///
    /// Each notification counts as 1 unit of work, and 1 more for each 64 KiB of its content. The call ends once `limit` units
    /// are done, and returns how many it has done.
    ///
    /// - Parameter total: the milliseconds served in all, as `Ledger.served` returns.
    func blankNotifications(servedSince age: Int64, of total: Int64, limit: Int) async throws(StoreError) -> Int

    /// The notifications of a subscription, in the order received.
    ///
    /// Their content is left out, because that of a single notification may have up to 16 MiB.
    func notifications(
        partition: AppPartition,
        originalTransactionID: String
    ) async throws(StoreError) -> [NotificationRecord]

    /// The content of a notification; empty if it was deleted, or there is no such notification.
    ///
    /// - Parameter key: the key of its record.
    func notificationBody(key: [UInt8], partition: AppPartition) async throws(StoreError) -> [UInt8]
}

extension HistoryStore {
    /// Finds one customer's history.
    public func find(_ query: HistoryQuery) async throws(StoreError) -> StoredHistory {
        let result = await withCheckedContinuation { continuation in
            find([query]) { continuation.resume(returning: $0) }
        }
        return HistoryDecoder().history(try result.get()[0])
    }

    /// Queries one customer after another, for stores that have no query for several.
    public func wholeHistories(of queries: [HistoryQuery]) async throws(StoreError) -> [StoredHistory] {
        var found: [StoredHistory] = []
        for query in queries { found.append(try await wholeHistory(of: query)) }
        return found
    }

    /// Merges one change, and returns when it is durable.
    public func apply(_ change: HistoryChange) async throws(StoreError) -> HistoryOutcome {
        let result = await withCheckedContinuation { continuation in
            apply([change]) { continuation.resume(returning: $0) }
        }
        return try result.get()[0]
    }
}

/// The result of a request to join two customers.
public enum JoiningOutcome: Equatable, Sendable {
    case joined
    /// They were joined already.
    case unchanged
    /// One of the names is already an alias of this other customer. Nothing was written.
    case aliasOfAnotherCustomer
}

/// A subscription to poll the App Store about.
public struct PollTarget: Equatable, Sendable {
    /// The app in an environment.
    public let partition: AppPartition
    /// Identifies the subscription.
    public let originalTransactionID: String
    /// Since when the poll is due.
    public let dueAt: Instant

    /// Stores the given values without checking them.
    public init(partition: AppPartition, originalTransactionID: String, dueAt: Instant) {
        self.partition = partition
        self.originalTransactionID = originalTransactionID
        self.dueAt = dueAt
    }
}
