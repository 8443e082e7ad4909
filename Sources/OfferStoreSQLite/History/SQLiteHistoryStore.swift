public import EligibilityRules
import FoundationEssentials
import GRDB
public import OfferStore
import Synchronization

/// Histories in SQLite: one row for each purchase chain, indexed by customer, account token and transaction.
public final class SQLiteHistoryStore: HistoryStore {
    private static let maxPerBatch = 512

    let store: SQLiteStore
    private let file: SQLiteHistoryFile
    private var hash: SipHash { file.customerHash }
    private let apps = Mutex<[AppPartition: Int64]>([:])
    private let commits: GroupCommit<HistoryChange, HistoryOutcome>

    /// Shares the store's writer with all other stores.
    public init(_ file: SQLiteHistoryFile) {
        store = file.store
        self.file = file
        commits = store.groupCommit("store history", maxPerBatch: Self.maxPerBatch) {
            jobs, database, _ in
            let rows = try SQLiteHistoryRows(database, file)
            var merge = HistoryMerge(rows)
            let outcomes = try merge.apply(jobs)
            try merge.finish()
            try rows.writeIndex()
            return outcomes
        }
    }

    /// An app has a number once something is stored for it.
    public func isEmpty() async throws(StoreError) -> Bool {
        try await store.read("look for histories") { database in
            try Bool.fetchOne(database, sql: "SELECT NOT EXISTS (SELECT 1 FROM app)")!
        }
    }

    /// Looks up customers, all in one read.
    public func find(_ queries: [HistoryQuery], completion: @escaping Found) {
        store.pool.asyncRead { [self] result in
            completion(
                Result {
                    try store.checkIntact()
                    return try find(queries, result.get())
                }
                .mapError { StoreError(wrapping: $0, doing: "look up history") })
        }
    }

    private func find(_ queries: [HistoryQuery], _ database: Database) throws -> [HistoryRecord] {
        let reading = try HistoryReading(database, .summary, hash)
        // Created for the first query that needs it.
        var whole: HistoryReading?
        return try queries.map { query in
            guard let app = try number(ofApp: query.partition, database) else { return HistoryRecord(.unknown) }
            guard query.isWhole else { return try reading.record(of: query, app: app) }
            if whole == nil { whole = try HistoryReading(database, .whole, hash) }
            return HistoryRecord(try whole!.history(of: query, app: app))
        }
    }

    // An app's number never changes.
    private func number(ofApp partition: AppPartition, _ database: Database) throws -> Int64? {
        if let number = apps.withLock({ $0[partition] }) { return number }
        let number = try AppNumbers.existing(partition, database)
        if let number { apps.withLock { $0[partition] = number } }
        return number
    }

    /// Returns everything known of one customer.
    public func wholeHistory(of query: HistoryQuery) async throws(StoreError) -> StoredHistory {
        try await wholeHistories(of: [query])[0]
    }

    /// Uses one read for all queries.
    public func wholeHistories(of queries: [HistoryQuery]) async throws(StoreError) -> [StoredHistory] {
        try await store.read("look up history") { [self] database in
            let reading = try HistoryReading(database, .whole, hash)
            return try queries.map { query in
                guard let app = try number(ofApp: query.partition, database) else { return .unknown }
                return try reading.history(of: query, app: app)
            }
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

    /// Uses the index on aliases.
    public func aliases(of customerID: String, partition: AppPartition) async throws(StoreError) -> [String] {
        try await store.read("look up aliases") { [hash] database in
            guard let app = try AppNumbers.existing(partition, database) else { return [] }
            let customers = try CustomerTable(database, hash)
            let customer = HistoryKey(app, try customers.customer(named: HistoryKey(app, customerID)))
            return try ([customer.string] + customers.aliases(of: customer)).filter { ExactText($0) != ExactText(customerID) }
                .sorted()
        }
    }

    /// Reads one row for each name.
    public func customers(named names: [String], partition: AppPartition) async throws(StoreError) -> [String] {
        try await store.read("look up aliases") { [hash] database in
            guard let app = try AppNumbers.existing(partition, database) else { return names }
            let customers = try CustomerTable(database, hash)
            return try names.map { try customers.customer(named: HistoryKey(app, $0)) }
        }
    }

    /// Erases in its own transaction, and overwrites the old bytes.
    public func erase(customerID: String, partition: AppPartition, now: Instant) async throws(StoreError) -> ErasedHistory {
        try await store.write("erase a customer") { [file] database in
            guard try AppNumbers.existing(partition, database) != nil else { return ErasedHistory() }
            try database.execute(sql: "PRAGMA secure_delete = ON")
            defer { try? database.execute(sql: "PRAGMA secure_delete = OFF") }
            let rows = try SQLiteHistoryRows(database, file)
            return try HistoryErasure(rows).erase(customerID: customerID, partition: partition, at: now)
        }
    }

    private func merge<Outcome: Sendable>(
        _ body: @escaping @Sendable (inout HistoryMerge<SQLiteHistoryRows>) throws -> Outcome
    ) async throws(StoreError) -> Outcome {
        try await store.write("write whose a subscription is") { [file] database in
            let rows = try SQLiteHistoryRows(database, file)
            var merge = HistoryMerge(rows)
            let outcome = try body(&merge)
            try merge.finish()
            try rows.writeIndex()
            return outcome
        }
    }

    /// Reads and defers in one transaction, so that no other process gets the same subscriptions.
    public func claimForPolling(
        partition: AppPartition,
        dueAt now: Instant,
        until: Instant,
        limit: Int
    ) async throws(StoreError) -> [PollTarget] {
        // Most rounds find nothing, and need no write.
        guard try await !store.read("look for due subscriptions", { try Self.due(partition, now, 1, $0) }).isEmpty else {
            return []
        }
        return try await store.write("take due subscriptions") { database in
            let due = try Self.due(partition, now, limit, database)
            guard let app = try AppNumbers.existing(partition, database) else { return [] }
            for target in due {
                try Self.schedule(target.originalTransactionID, app, at: until, database)
            }
            return due
        }
    }

    /// Uses the index on due times.
    private static func due(_ partition: AppPartition, _ now: Instant, _ limit: Int, _ database: Database) throws -> [PollTarget]
    {
        guard let app = try AppNumbers.existing(partition, database) else { return [] }
        let statement = try PreparedStatement(
            database,
            "SELECT original_transaction_id, poll_at FROM purchase_chain WHERE app = ? AND poll_at <= ? ORDER BY poll_at LIMIT ?")
        defer { statement.reset() }
        statement.bind(app, at: 1)
        statement.bind(now.milliseconds, at: 2)
        statement.bind(Int64(limit), at: 3)
        var targets: [PollTarget] = []
        while try statement.step() {
            let dueAt = Instant(milliseconds: statement.number(1))
            targets.append(PollTarget(partition: partition, originalTransactionID: statement.text(0), dueAt: dueAt))
        }
        return targets
    }

    private static func schedule(_ id: String, _ app: Int64, at instant: Instant?, _ database: Database) throws {
        let statement = try PreparedStatement(
            database, "UPDATE purchase_chain SET poll_at = ? WHERE original_transaction_id = ? AND app = ?")
        statement.bind(instant?.milliseconds, at: 1)
        statement.bind(id: id, at: 2)
        statement.bind(app, at: 3)
        try statement.run()
    }

    /// Sets the due time of one subscription.
    public func schedulePolling(of target: PollTarget, at instant: Instant?) async throws(StoreError) {
        try await store.write("schedule a look at the App Store") { database in
            let app = try AppNumbers.number(of: target.partition, database)
            try Self.schedule(target.originalTransactionID, app, at: instant, database)
        }
    }

    /// Reads and sets in one transaction, so that no concurrent change is missed.
    public func scheduleNextPolling(of target: PollTarget, askedAt instant: Instant) async throws(StoreError) {
        try await store.write("schedule a look at the App Store") { [hash] database in
            let app = try AppNumbers.number(of: target.partition, database)
            let stored = try HistoryReading(database, .whole, hash).chain(
                originalTransactionID: HistoryKey(app, target.originalTransactionID))
            guard let stored else { return }
            try database.execute(
                sql: "UPDATE purchase_chain SET poll_at = ? WHERE id = ?",
                arguments: [stored.nextPoll(askedAt: instant)?.milliseconds, stored.id])
        }
    }

    /// Reads one row for each product.
    public func seenGroups(partition: AppPartition) async throws(StoreError) -> [ExactText: String] {
        try await store.read("read subscription groups") { database in
            guard let app = try AppNumbers.existing(partition, database) else { return [:] }
            let statement = try PreparedStatement(database, "SELECT product_id, group_id FROM seen_group WHERE app = ?")
            defer { statement.reset() }
            statement.bind(app, at: 1)
            var groups: [ExactText: String] = [:]
            while try statement.step() { groups[ExactText(statement.text(0))] = statement.text(1) }
            return groups
        }
    }

    /// Uses the notification's key.
    public func hasNotification(key: [UInt8], partition: AppPartition) async throws(StoreError) -> Bool {
        try await store.read("look for a notification") { database in
            let sql =
                "SELECT EXISTS (SELECT 1 FROM notification WHERE key = ? AND app = (SELECT number FROM app WHERE bundle_id = ?))"
            return try Bool.fetchOne(database, sql: sql, arguments: [Data(key), partition.name])!
        }
    }

    /// Uses the notification's key.
    public func notificationBody(key: [UInt8], partition: AppPartition) async throws(StoreError) -> [UInt8] {
        try await store.read("read a notification") { database in
            let statement = try PreparedStatement(
                database, "SELECT body FROM notification WHERE key = ? AND app = (SELECT number FROM app WHERE bundle_id = ?)")
            defer { statement.reset() }
            statement.bind(key, at: 1)
            statement.bind(partition.name, at: 2)
            return try statement.step() ? statement.withBytes(0) { Array($0) } : []
        }
    }

    /// Uses the index on subscriptions.
    public func notifications(
        partition: AppPartition,
        originalTransactionID: String
    ) async throws(StoreError) -> [NotificationRecord] {
        try await store.read("read notifications") { database in
            guard let app = try AppNumbers.existing(partition, database) else { return [] }
            let statement = try PreparedStatement(
                database,
                """
                SELECT key, version, type, subtype, received_at FROM notification
                WHERE original_transaction_id = ? AND app = ? ORDER BY received_at, rowid
                """
            )
            defer { statement.reset() }
            statement.bind(id: originalTransactionID, at: 1)
            statement.bind(app, at: 2)
            var records: [NotificationRecord] = []
            while try statement.step() {
                records.append(
                    NotificationRecord(
                        key: statement.withBytes(0) { Array($0) },
                        version: Int(statement.number(1)),
                        type: statement.text(2),
                        subtype: statement.optionalText(3),
                        originalTransactionID: originalTransactionID,
                        body: [],
                        receivedAt: Instant(milliseconds: statement.number(4))
                    ))
            }
            return records
        }
    }
}
