public import EligibilityRules

/// The customers' purchase histories, merged from every source, and whose they are.
public protocol HistoryStore: Sendable {
    /// Receives one result a query, in order. Called on any thread.
    typealias Found = @Sendable (Result<[HistoryRecord], StoreError>) -> Void
    /// Receives one outcome a change, in order, or why nothing was written. Called on any thread.
    typealias Completion = @Sendable (Result<[HistoryOutcome], StoreError>) -> Void

    /// Whether nothing was ever stored.
    func isEmpty() async throws(StoreError) -> Bool

    /// Looks up what of customers' subscriptions decides from now on, or all where a query says so: for each one look-up by index.
    ///
    /// Does not block.
    func find(_ queries: [HistoryQuery], completion: @escaping Found)

    /// Everything known of one customer, other purchases and what no longer decides included.
    func wholeHistory(of query: HistoryQuery) async throws(StoreError) -> StoredHistory

    /// The same of several customers, in order: in one look where the store can.
    func wholeHistories(of queries: [HistoryQuery]) async throws(StoreError) -> [StoredHistory]

    /// Merges changes; those of many callers share one durable transaction. Does not block.
    func apply(_ changes: [HistoryChange], completion: @escaping Completion)

    /// Says that a subscription is a customer's, known or not yet.
    ///
    /// What took its place goes with it, and what it took the place of, as far as one customer has all of it.
    ///
    /// It is taken from another customer who has it by a weaker proof, and always for `transferred`.
    func bind(
        originalTransactionID: String,
        to claim: CustomerClaim,
        partition: AppPartition,
        now: Instant
    ) async throws(StoreError) -> BindingOutcome

    /// Says that a subscription is a customer's no more, with all that `bind` would move; whoever brings it next may have it.
    func unbind(
        originalTransactionID: String,
        from customerID: String,
        partition: AppPartition,
        now: Instant
    ) async throws(StoreError) -> BindingOutcome

    /// Makes two customers one: all that `alias` has is the customer's, and so is all that names `alias` from now on.
    func join(
        alias: String,
        into customerID: String,
        partition: AppPartition,
        now: Instant
    ) async throws(StoreError) -> JoiningOutcome

    /// The names that a customer had before, sorted; of an alias the other ones, and the customer's own.
    func aliases(of customerID: String, partition: AppPartition) async throws(StoreError) -> [String]

    /// The customers whom names stand for, in order: the name itself, unless it is an alias.
    func customers(named names: [String], partition: AppPartition) async throws(StoreError) -> [String]

    /// Takes the customer's names from their purchases, and forgets what is drawn of the customer.
    ///
    /// The purchases stay, bound to nobody: they are the App Store's word on an Apple account, and whoever could have them deleted could
    /// have every introductory offer again.
    func erase(customerID: String, partition: AppPartition, now: Instant) async throws(StoreError) -> ErasedHistory

    /// Takes subscriptions of an app that are due to be asked about, the longest due first, and puts them off: no other process gets them.
    ///
    /// - Parameter until: when they are due again, if nothing sets another time.
    func claimForPolling(
        partition: AppPartition,
        dueAt now: Instant,
        until: Instant,
        limit: Int
    ) async throws(StoreError) -> [PollTarget]

    /// Sets when a subscription is to be asked about next; nil: no more.
    func schedulePolling(of target: PollTarget, at instant: Instant?) async throws(StoreError)

    /// Sets when a subscription that was just asked about is to be asked about next, from what is known of it by now.
    func scheduleNextPolling(of target: PollTarget, askedAt instant: Instant) async throws(StoreError)

    /// The subscription groups that the App Store has named for an app's products, by product id.
    func seenGroups(partition: AppPartition) async throws(StoreError) -> [ExactText: String]

    /// Whether a notification was received.
    ///
    /// - Parameter key: as its record has it.
    func hasNotification(key: [UInt8], partition: AppPartition) async throws(StoreError) -> Bool

    /// Takes the content from notifications since which so many milliseconds were served, the oldest first.
    ///
    /// They are known all the same if they come again, and what they told of purchases stays. Ages are known to the hour, from the first
    /// call on: no clock takes part. Up to `limit` are looked at; returns how many were.
    /// - Parameter total: how many milliseconds were served in all, as `Ledger.served` says.
    func blankNotifications(servedSince age: Int64, of total: Int64, limit: Int) async throws(StoreError) -> Int

    /// The raw notifications of a subscription, in the order they came.
    func notifications(
        partition: AppPartition,
        originalTransactionID: String
    ) async throws(StoreError) -> [NotificationRecord]
}

extension HistoryStore {
    /// Looks one customer up.
    public func find(_ query: HistoryQuery) async throws(StoreError) -> StoredHistory {
        let result = await withCheckedContinuation { continuation in
            find([query]) { continuation.resume(returning: $0) }
        }
        return HistoryDecoder().history(try result.get()[0])
    }

    /// One after the other.
    public func wholeHistories(of queries: [HistoryQuery]) async throws(StoreError) -> [StoredHistory] {
        var found: [StoredHistory] = []
        for query in queries { found.append(try await wholeHistory(of: query)) }
        return found
    }

    /// Merges one change and waits until it is durable.
    public func apply(_ change: HistoryChange) async throws(StoreError) -> HistoryOutcome {
        let result = await withCheckedContinuation { continuation in
            apply([change]) { continuation.resume(returning: $0) }
        }
        return try result.get()[0]
    }
}
