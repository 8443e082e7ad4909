import EligibilityRules
public import OfferStore
import OfferStoreSQL

/// Partitions are made ahead of time and dropped as a whole, so that retention costs the same however many rows a day has.
extension PostgreSQLLedger {
    /// The number of partitions into which the entries of a retention period are divided.
    ///
    /// If the period has fewer days than this, each partition has the entries of one day. Any query about all
    /// partitions locks each of them and plans for it, so there must not be many.
    private static let partitionsPerRetention: Int64 = 32
    /// Makes a statement that needs a table for itself wait no longer than 100 ms for it.
    ///
    /// Everything else that uses the table waits behind the statement. The next round of retention tries again.
    private static let patience = SQLStatement("SET LOCAL lock_timeout = 100")

    /// Makes the partitions for the days from tomorrow on, unless tomorrow has them already.
    public func prepareDays(keeping age: Int64) async throws(StoreError) {
        try await unlessLocked(otherwise: ()) { () async throws(StoreError) in
            try await store.write("make room for the next day", .latest) { transaction in
                transaction.enqueue(Self.patience)
                let today = try transaction.run("SELECT seen_at FROM clock").first { $0.optionalInstant(0)?.day } ?? nil
                guard let today else { return }
                let days = today + 1..<today + 1 + max(1, age / Instant.day / Self.partitionsPerRetention)
                try NoncePartitions.prepare(for: days, transaction)
                try ChainRange.prepare(for: days, transaction)
            }
        }
    }

    /// Drops the oldest partition of a table if all its rows are due.
    ///
    /// Returns how many rows it had; 0 if it was not dropped, also because it is in use.
    ///
    /// - Parameter isDue: whether the rows of the partition, with these ends of chains, are due.
    func dropDay(
        of table: AuditTable,
        servedSince age: Int64,
        isDue: @escaping @Sendable (ChainRange, [ChainEnd], Transaction) throws -> Bool
    ) async throws(StoreError) -> Int {
        let range = try await store.read("look for days to drop") { transaction in
            // A day that is just over may still get rows.
            let sql = """
                SELECT first, chains FROM chain_range, clock
                WHERE NOT \(ChainRange.isDropped(table)) AND until_day < seen_at / \(Instant.day) ORDER BY first LIMIT 1
                """
            return try transaction.run(sql).first { ChainRange(first: $0.number(0), count: $0.number(1)) }
        }
        guard let range else { return 0 }
        return try await unlessLocked(otherwise: 0) { () async throws(StoreError) in
            try await store.writeAudited("drop a day") { transaction, audit in
                let partition = range.partition(of: table)
                transaction.enqueue(Self.patience)
                // Locked before the snapshot, so that the snapshot has every row. Only this partition's writers wait, and there
                // should be none.
                try transaction.enqueue("LOCK TABLE \(partition) IN SHARE MODE")
                guard try audit.mayRemove(transaction), let mark = try Self.mark(servedSince: age, transaction) else { return 0 }
                let ends = try ChainEnd.all(in: range, of: table, mark: mark, transaction)
                // The first partition's rows are deleted one by one before.
                let isDroppable = try range.first > 0 || transaction.run("SELECT 1 FROM \(partition) LIMIT 1").count == 0
                guard isDroppable, try isDue(range, ends, transaction) else { return 0 }
                try audit.remove(ends, transaction)
                for name in table == .signatures ? ["latest_signature", "repaired_chain", "serving_mark_chain"] : [] {
                    try transaction.enqueue(
                        "DELETE FROM \(name) WHERE chain >= $1 AND chain < $2", .number(range.first), .number(range.end))
                }
                try transaction.enqueue(
                    "UPDATE chain_range SET \(ChainRange.isDropped(table)) = true WHERE first = $1", .number(range.first))
                // The last statement, sent together with the commit, because it needs the whole table for itself.
                try transaction.enqueue("DROP TABLE \(partition)")
                return ends.reduce(0) { $0 + $1.rows }
            }
        }
    }

    /// Drops the oldest partition of nonces, once none of them can be used and the requests that used them are gone.
    func dropNonces() async throws(StoreError) {
        try await unlessLocked(otherwise: ()) { () async throws(StoreError) in
            try await store.write("drop a day's nonces", .latest) { transaction in
                transaction.enqueue(Self.patience)
                // A nonce can be used for less than a day after the day of its issue. One more day allows for clocks that differ.
                let first = try transaction.run(
                    """
                    SELECT first FROM nonce_range, clock
                    WHERE first > 0 AND NOT is_dropped AND until_day + 2 <= seen_at / \(Instant.day) ORDER BY first LIMIT 1
                    """
                ).first { $0.number(0) }
                guard let first else { return }
                try transaction.enqueue("LOCK TABLE nonce_series_\(first) IN SHARE MODE")
                let isNeeded = try transaction.run(
                    """
                    SELECT EXISTS (SELECT 1 FROM nonce_series_\(first) WHERE signed_request >= oldest)
                    FROM (SELECT min(id) AS oldest FROM signed_request) AS signed
                    """
                ).first { $0.flag(0) }!
                guard !isNeeded else { return }
                try transaction.enqueue("UPDATE nonce_range SET is_dropped = true WHERE first = $1", .number(first))
                try transaction.enqueue("DROP TABLE nonce_series_\(first)")
            }
        }
    }

    private func unlessLocked<Value>(
        otherwise value: Value,
        _ body: () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        do throws(StoreError) { return try await body() } catch  where error.code == .locked { return value }
    }
}
