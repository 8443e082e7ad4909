public import EligibilityRules
public import FoundationEssentials
import GRDB
public import OfferStore
import OfferStoreSQL

/// The ledger in SQLite: one writer, many requests in each transaction.
public final class SQLiteLedger: Ledger {
    private static let maxPerBatch = 2048
    /// Milliseconds between two marks of served time.
    private static let markInterval: Int64 = 3_600_000

    let store: SQLiteStore
    let limitIndex = LimitIndex()
    private let commits: GroupCommit<LedgerSubmission, LedgerOutcome>

    /// - Parameter observer: receives reports of batches and checkpoints; nil in tools.
    public init(store: SQLiteStore, observer: (any LedgerObserver)? = nil) {
        self.store = store
        store.checkpoints.report(to: observer)
        commits = store.groupCommit("record signatures", maxPerBatch: SQLiteLedger.maxPerBatch, observer: observer) {
            [audit = store.audit!, limitIndex, exposureNumbers = ExposureNumbers(), revocations = Revocations()]
            jobs, database, isUndisturbed in
            if !isUndisturbed { revocations.discard() }
            let batch = LedgerBatch(jobs, try limitIndex.hash(database))
            var rows = try LedgerRows(database, audit, limitIndex, exposureNumbers, revocations)
            let decision = batch.decide(try rows.find(batch.keys))
            try rows.write(batch, decision)
            return decision.outcomes
        }
    }

    /// Queues submissions for the next transaction.
    public func record(_ submissions: [LedgerSubmission], completion: @escaping Completion) {
        commits.submit(submissions, completion: completion)
    }

    /// The answer stored under an idempotency key.
    public func answer(caller: String, key: String, now: Instant) async throws(StoreError) -> IdempotencyRecord? {
        let record = try await store.read("look up an idempotency key") { try Self.answer(caller, key, $0) }
        return record.flatMap { $0.createdAt.advanced(by: IdempotencyRecord.lifetime) > now ? $0 : nil }
    }

    static func answer(_ caller: String, _ key: String, _ database: Database) throws -> IdempotencyRecord? {
        let statement = try database.cachedStatement(sql: "SELECT * FROM idempotency WHERE caller = ? AND key = ?")
        return try Row.fetchOne(statement, arguments: [caller, key]).map { row in
            IdempotencyRecord(
                caller: row["caller"],
                key: row["key"],
                requestDigest: Array(row["request_digest"] as Data),
                answer: Array(row["answer"] as Data),
                createdAt: Instant(milliseconds: row["created_at"])
            )
        }
    }

    /// The entry that contains a nonce.
    public func entry(nonce: UUID) async throws(StoreError) -> LedgerEntry? {
        let entry = try await store.read("look up a nonce") { database in
            let sql = "SELECT \(LedgerEntry.columns) FROM signed_request WHERE id = (\(Self.ofSeries))"
            return try Row.fetchOne(database, sql: sql, arguments: [nonce.seriesBytes]).map { try LedgerEntry($0) }
        }
        return entry.flatMap { entry in entry.signatures.contains { $0.nonce == nonce } ? entry : nil }
    }

    /// Finds rows by the index on customers.
    public func refusals(
        customerID: String,
        partition: AppPartition,
        limit: Int
    ) async throws(StoreError) -> [LedgerRefusals] {
        try await store.read("look up refusals") { database in
            try database.run(
                """
                SELECT \(LedgerRefusals.columns) FROM refused_request WHERE customer_id = $1 AND bundle_id = $2
                ORDER BY id DESC LIMIT $3
                """, .text(customerID), .text(partition.name), .number(Int64(limit))
            ).map { try LedgerRefusals($0) }
        }
    }

    /// The latest signing time in the last few thousand rows.
    public func latestInstant() async throws(StoreError) -> Instant? {
        try await store.read("read the latest instant") { try ClockRecord($0).latest }
    }

    /// Updates the sum, and adds a mark if the last one is an hour old.
    @discardableResult
    public func served(_ milliseconds: Int64, at instant: Instant) async throws(StoreError) -> Int64 {
        try await store.write("note what was served") { database in
            try database.execute(
                sql: "UPDATE clock SET served = served + ?, seen_at = ?", arguments: [milliseconds, instant.milliseconds])
            try database.execute(
                sql: """
                    INSERT INTO serving_mark
                    SELECT served, seen_at, coalesce((SELECT max(id) FROM signed_request), 0) FROM clock
                    WHERE NOT EXISTS (SELECT 1 FROM serving_mark WHERE serving_mark.served > clock.served - ?)
                    """,
                arguments: [SQLiteLedger.markInterval])
            return try Int64.fetchOne(database, sql: "SELECT served FROM clock")!
        }
    }

    /// Deletes old entries, the oldest first.
    public func prune(servedSince age: Int64, limit: Int) async throws(StoreError) -> Int {
        try await store.write("apply the retention") { [audit = store.audit!] database in
            guard try audit.mayRemove(database), let mark = try SQLiteLedger.mark(servedSince: age, database) else { return 0 }
            // Older marks are not needed any more.
            try database.execute(sql: "DELETE FROM serving_mark WHERE served < ?", arguments: [mark.served])
            let due = """
                SELECT id FROM signed_request WHERE id <= ? AND id < (SELECT max(id) FROM signed_request) ORDER BY id LIMIT ?
                """
            let arguments: StatementArguments = [mark.row, limit]
            let last = try Int64.fetchOne(database, sql: "SELECT max(id) FROM (\(due))", arguments: arguments)
            guard let last else { return 0 }
            try audit.remove(.signatures, upTo: last, database)
            try database.execute(
                sql:
                    "DELETE FROM nonce_series WHERE series IN (SELECT substr(nonce, 1, 8) FROM ledger WHERE signed_request IN (\(due)))",
                arguments: arguments)
            try database.execute(sql: "DELETE FROM signed_request WHERE id IN (\(due))", arguments: arguments)
            return database.changesCount
        }
    }

    private static func mark(servedSince age: Int64, _ database: Database) throws -> (served: Int64, row: Int64)? {
        let sql = """
            SELECT serving_mark.served, signed_request FROM serving_mark, clock
            WHERE serving_mark.served <= clock.served - ? ORDER BY serving_mark.served DESC LIMIT 1
            """
        return try Row.fetchOne(database, sql: sql, arguments: [age]).map { ($0[0], $0[1]) }
    }

    /// An instant after which this much was served, regardless of later changes of the clock.
    private static func instant(servedSince age: Int64, _ database: Database) throws -> Int64? {
        guard let mark = try mark(servedSince: age, database) else { return nil }
        let sql = "SELECT min(reached_at) FROM serving_mark WHERE served >= ?"
        return try Int64.fetchOne(database, sql: sql, arguments: [mark.served])
    }

    /// Reads only the oldest rows.
    public func pruneRefusals(servedSince age: Int64, limit: Int) async throws(StoreError) -> Int {
        try await store.write("drop old refusals") { [audit = store.audit!] database in
            guard try audit.mayRemove(database), let instant = try SQLiteLedger.instant(servedSince: age, database) else {
                return 0
            }
            let oldest = try Row.fetchAll(
                database, sql: "SELECT id, refused_at FROM refused_request ORDER BY id LIMIT ?", arguments: [limit])
            // Rows are removed only from the front, because what is left of a chain must be its end.
            guard let last = oldest.prefix(while: { $0[1] < instant }).last?[0] as Int64? else { return 0 }
            try audit.remove(.refusals, upTo: last, database)
            try database.execute(sql: "DELETE FROM refused_request WHERE id <= ?", arguments: [last])
            return database.changesCount
        }
    }

    /// Deletes old answers.
    public func pruneAnswers(servedSince age: Int64, limit: Int) async throws(StoreError) -> Int {
        try await store.write("drop old answers") { database in
            guard let instant = try SQLiteLedger.instant(servedSince: age, database) else { return 0 }
            let due = try Row.fetchAll(
                database,
                sql: "SELECT caller, key FROM idempotency WHERE created_at < ? ORDER BY created_at LIMIT ?",
                arguments: [instant, limit]
            )
            for row in due {
                try database.execute(
                    sql: "DELETE FROM idempotency WHERE caller = ? AND key = ?",
                    arguments: [row["caller"] as String, row["key"] as String]
                )
            }
            return due.count
        }
    }
}
