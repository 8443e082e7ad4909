public import EligibilityRules
public import OfferStore

/// Histories in PostgreSQL: one row for each purchase chain, indexed by customer, account token and transaction.
public final class PostgreSQLHistoryStore: HistoryStore {
    private static let maxPerBatch = 512

    let store: PostgreSQLStore
    private let apps: AppNumbers
    private let hash: SipHash
    private let commits: GroupCommit<HistoryChange, HistoryOutcome>

    /// Shares the store's sessions with the other stores.
    public init(_ store: PostgreSQLStore) {
        self.store = store
        let (apps, hash, keepsEvents) = (store.apps, store.customerHash, store.keepsEvents)
        (self.apps, self.hash) = (apps, hash)
        commits = store.groupCommit("store history", maxPerBatch: Self.maxPerBatch) { jobs, transaction in
            var merge = HistoryMerge(PostgreSQLHistoryRows(transaction, apps, hash, keepsEvents: keepsEvents))
            let outcomes = try merge.apply(jobs)
            try merge.finish()
            return outcomes
        }
    }

    /// An app has a number once something is stored for it.
    public func isEmpty() async throws(StoreError) -> Bool {
        try await store.read("look for histories") { try $0.run("SELECT 1 FROM app LIMIT 1").count == 0 }
    }

    /// Looks up customers, all in one read.
    public func find(_ queries: [HistoryQuery], completion: @escaping Found) {
        store.read("look up history", { [apps] in try HistoryReading($0, apps).records(of: queries) }, completion: completion)
    }

    /// Returns everything known of one customer.
    public func wholeHistory(of query: HistoryQuery) async throws(StoreError) -> StoredHistory {
        try await wholeHistories(of: [query])[0]
    }

    /// Uses one read for all queries.
    public func wholeHistories(of queries: [HistoryQuery]) async throws(StoreError) -> [StoredHistory] {
        try await store.read("look up history") { [apps] in
            let reading = HistoryReading($0, apps)
            return try queries.map { try reading.history(of: $0.whole) }
        }
    }

    /// Queues changes for the next transaction.
    public func apply(_ changes: [HistoryChange], completion: @escaping Completion) {
        commits.submit(changes, completion: completion)
    }

    /// Binds in its own transaction.
    public func bind(
        originalTransactionID: String,
        to claim: CustomerClaim,
        partition: AppPartition,
        now: Instant
    ) async throws(StoreError) -> BindingOutcome {
        try await merge { try $0.bind(originalTransactionID, to: claim, partition: partition, now: now) }
    }

    /// Unbinds in its own transaction.
    public func unbind(
        originalTransactionID: String,
        from customerID: String,
        partition: AppPartition,
        now: Instant
    ) async throws(StoreError) -> BindingOutcome {
        try await merge { try $0.unbind(originalTransactionID, from: customerID, partition: partition, now: now) }
    }

    /// Joins in its own transaction.
    public func join(
        alias: String,
        into customerID: String,
        partition: AppPartition,
        now: Instant
    ) async throws(StoreError) -> JoiningOutcome {
        try await merge { try $0.join(alias, into: customerID, partition: partition, now: now) }
    }

    private func merge<Outcome: Sendable>(
        _ body: @escaping @Sendable (inout HistoryMerge<PostgreSQLHistoryRows>) throws -> Outcome
    ) async throws(StoreError) -> Outcome {
        try await store.write("write whose a subscription is") { [apps, hash, keepsEvents = store.keepsEvents] transaction in
            var merge = HistoryMerge(PostgreSQLHistoryRows(transaction, apps, hash, keepsEvents: keepsEvents))
            let outcome = try body(&merge)
            try merge.finish()
            return outcome
        }
    }

    /// Uses the index on aliases.
    public func aliases(of customerID: String, partition: AppPartition) async throws(StoreError) -> [String] {
        try await store.read("look up aliases") { [apps] transaction in
            guard let app = try apps.existing(partition, transaction) else { return [] }
            let customer = try HistoryReading(transaction, apps).customer(named: HistoryKey(app, customerID))
            let names = try [customer] + CustomerReading.aliases(of: HistoryKey(app, customer), transaction)
            return names.filter { ExactText($0) != ExactText(customerID) }.sorted()
        }
    }

    /// Uses one query for all names.
    public func customers(named names: [String], partition: AppPartition) async throws(StoreError) -> [String] {
        try await store.read("look up aliases") { [apps] transaction in
            guard let app = try apps.existing(partition, transaction) else { return names }
            let rows = try transaction.run([CustomerReading.aliases(names.map { HistoryKey(app, $0) })]).first!
            let customers = Dictionary(rows.map { (ExactText($0.text(1)), $0.text(2)) }, uniquingKeysWith: { first, _ in first })
            return names.map { customers[ExactText($0)] ?? $0 }
        }
    }

    /// Erases in its own transaction.
    public func erase(customerID: String, partition: AppPartition, now: Instant) async throws(StoreError) -> ErasedHistory {
        try await store.write("erase a customer") { [apps, hash] transaction in
            guard try apps.existing(partition, transaction) != nil else { return ErasedHistory() }
            return try HistoryErasure(PostgreSQLHistoryRows(transaction, apps, hash))
                .erase(customerID: customerID, partition: partition, at: now)
        }
    }

    /// Reads one row for each product.
    public func seenGroups(partition: AppPartition) async throws(StoreError) -> [ExactText: String] {
        try await store.read("read subscription groups") { [apps] transaction in
            guard let app = try apps.existing(partition, transaction) else { return [:] }
            var groups: [ExactText: String] = [:]
            try transaction.run("SELECT product_id, group_id FROM seen_group WHERE app = $1", .number(app)).forEach {
                groups[ExactText($0.text(0))] = $0.text(1)
            }
            return groups
        }
    }

    /// Uses the notification's key.
    public func hasNotification(key: [UInt8], partition: AppPartition) async throws(StoreError) -> Bool {
        try await store.read("look for a notification") { [apps] transaction in
            guard let app = try apps.existing(partition, transaction) else { return false }
            return try transaction.run("SELECT 1 FROM notification WHERE app = $1 AND key = $2", .number(app), .bytes(key)).count
                > 0
        }
    }

    /// Uses the notification's key.
    public func notificationBody(key: [UInt8], partition: AppPartition) async throws(StoreError) -> [UInt8] {
        try await store.read("read a notification") { [apps] transaction in
            guard let app = try apps.existing(partition, transaction) else { return [] }
            return try transaction.run("SELECT body FROM notification WHERE app = $1 AND key = $2", .number(app), .bytes(key))
                .map { $0.bytes(0) }.first ?? []
        }
    }

    /// Uses the index on subscriptions.
    public func notifications(
        partition: AppPartition,
        originalTransactionID: String
    ) async throws(StoreError) -> [NotificationRecord] {
        try await store.read("read notifications") { [apps] transaction in
            guard let app = try apps.existing(partition, transaction) else { return [] }
            let rows = try transaction.run(
                """
                SELECT key, version, type, subtype, received_at FROM notification
                WHERE app = $1 AND original_transaction_id = $2 ORDER BY received_at, number
                """, .number(app), .text(originalTransactionID))
            return rows.map { row in
                NotificationRecord(
                    key: row.bytes(0), version: Int(row.number(1)), type: row.text(2), subtype: row.optionalText(3),
                    originalTransactionID: originalTransactionID, body: [], receivedAt: row.instant(4))
            }
        }
    }

    /// Reads and defers in one statement. Skips rows that another process is claiming.
    public func claimForPolling(
        partition: AppPartition,
        dueAt now: Instant,
        until: Instant,
        limit: Int
    ) async throws(StoreError) -> [PollTarget] {
        try await store.write("take due subscriptions", .latest) { [apps] transaction in
            guard let app = try apps.existing(partition, transaction) else { return [] }
            let rows = try transaction.run(
                """
                WITH due AS (
                    SELECT original_transaction_id, poll_at FROM purchase_chain WHERE app = $1 AND poll_at <= $2
                    ORDER BY poll_at LIMIT $3 FOR UPDATE SKIP LOCKED)
                UPDATE purchase_chain AS chain SET poll_at = $4 FROM due
                WHERE app = $1 AND chain.original_transaction_id = due.original_transaction_id
                RETURNING chain.original_transaction_id, due.poll_at
                """, .number(app), .instant(now), .number(Int64(limit)), .instant(until))
            return rows.map { PollTarget(partition: partition, originalTransactionID: $0.text(0), dueAt: $0.instant(1)) }
                .sorted { $0.dueAt < $1.dueAt }
        }
    }

    /// Sets the due time of one subscription.
    public func schedulePolling(of target: PollTarget, at instant: Instant?) async throws(StoreError) {
        try await store.write("schedule a look at the App Store") { [apps] in
            try Self.schedule(target, apps, $0) { _ in instant }
        }
    }

    /// Reads and sets in one transaction, so that no concurrent change is missed.
    public func scheduleNextPolling(of target: PollTarget, askedAt instant: Instant) async throws(StoreError) {
        try await store.write("schedule a look at the App Store") { [apps] in
            try Self.schedule(target, apps, $0) { $0.nextPoll(askedAt: instant) }
        }
    }

    private static func schedule(
        _ target: PollTarget,
        _ apps: AppNumbers,
        _ transaction: Transaction,
        _ next: (StoredChain) -> Instant?
    ) throws {
        guard let app = try apps.existing(target.partition, transaction) else { return }
        let key = HistoryKey(app, target.originalTransactionID)
        let reading = ChainReading(.whole)
        let rows = try transaction.run([reading.statement(.original, [key])]).first!
        guard let stored = reading.chains(rows).first?.chain else { return }
        _ = try transaction.run(
            "UPDATE purchase_chain SET poll_at = $3 WHERE app = $1 AND original_transaction_id = $2",
            .number(app), .text(key.string), .instant(next(stored)))
    }
}
