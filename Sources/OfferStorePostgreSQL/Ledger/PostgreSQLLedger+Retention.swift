public import EligibilityRules
public import OfferStore
import OfferStoreSQL

extension PostgreSQLLedger {
    /// Milliseconds between two marks of served time.
    private static let markInterval: Int64 = 3_600_000

    /// Updates the sum. If the last mark is an hour old, adds a mark with the last row of each chain that has grown since.
    @discardableResult
    public func served(_ milliseconds: Int64, at instant: Instant) async throws(StoreError) -> Int64 {
        try await store.write("note what was served") { transaction in
            let served = try transaction.run(
                "UPDATE clock SET served = served + $1, seen_at = $2 RETURNING served", .number(milliseconds), .instant(instant)
            ).first { $0.number(0) }!
            try transaction.enqueue(
                """
                WITH mark AS (
                    INSERT INTO serving_mark SELECT served, seen_at FROM clock
                    WHERE NOT EXISTS (SELECT 1 FROM serving_mark WHERE serving_mark.served > clock.served - $1)
                    RETURNING served
                )
                INSERT INTO serving_mark_chain (served, chain, last_row)
                SELECT mark.served, chain, last_row FROM mark CROSS JOIN (\(ChainedRow.lastRows(of: .signatures))) AS last
                WHERE NOT EXISTS (
                    SELECT 1 FROM serving_mark_chain AS known
                    WHERE known.chain = last.chain AND known.last_row >= last.last_row)
                """, .number(Self.markInterval))
            return served
        }
    }

    /// Drops a partition that is due.
    ///
    /// The rows of the first partition, and of the last one with rows, are deleted by chain instead, the oldest of each first.
    public func prune(servedSince age: Int64, limit: Int) async throws(StoreError) -> Int {
        let dropped = try await dropDay(of: .signatures, servedSince: age) { range, ends, transaction in
            // The latest row of all stays.
            let sql = "SELECT 1 FROM signed_request WHERE id >= $1 LIMIT 1"
            return try ends.allSatisfy(\.isBehindMark)
                && transaction.run(sql, .number(range.end << ChainedRow.placeBits)).count > 0
        }
        if dropped > 0 { return dropped }
        try await dropNonces()
        return try await store.writeAudited("apply the retention") { transaction, audit in
            guard try audit.mayRemove(transaction), let mark = try Self.mark(servedSince: age, transaction) else { return 0 }
            Self.forgetMarks(before: mark, transaction)
            let due = try transaction.run(
                """
                SELECT id, nonces, signed_at FROM (
                    SELECT chain, max(last_row) AS last_row FROM serving_mark_chain
                    WHERE served <= $1 AND \(Self.isUndivided(.signatures, "chain")) GROUP BY chain
                ) AS mark CROSS JOIN LATERAL (
                    SELECT id, nonces, signed_at FROM signed_request
                    WHERE id >= mark.chain << \(ChainedRow.placeBits) AND id <= mark.last_row ORDER BY id LIMIT $2
                ) AS due
                WHERE id < (SELECT max(id) FROM signed_request)
                ORDER BY id LIMIT $2
                """, .number(mark), .number(Int64(limit)))
            let rows = due.map { row in (id: row.number(0), series: NonceBytes.series(of: row.bytes(1)), at: row.number(2)) }
            guard !rows.isEmpty else { return 0 }
            try audit.remove(.signatures, rows.map(\.id), transaction)
            transaction.enqueue(
                // Only the first partition has no day. The nonces of other partitions are dropped with their day.
                SQLStatement(
                    "DELETE FROM nonce_series WHERE issued_day = 0 AND series = ANY($1)", [.numbers(rows.flatMap(\.series))]))
            // The time of a deleted row no longer counts as the latest.
            try transaction.enqueue(
                """
                UPDATE latest_signature AS latest SET at = (
                    SELECT signed_at FROM signed_request WHERE id >= latest.chain << \(ChainedRow.placeBits) AND id < (latest.chain + 1) << \(ChainedRow.placeBits) ORDER BY id DESC LIMIT 1)
                WHERE latest.chain = ANY($1) AND latest.at = ANY($2)
                """, .numbers(rows.map { ChainedRow.chain(of: $0.id) }), .numbers(rows.map(\.at)))
            return rows.count
        }
    }

    /// Deletes older marks, except for the last known end of each chain.
    private static func forgetMarks(before mark: Int64, _ transaction: Transaction) {
        let statements = [
            """
            DELETE FROM serving_mark_chain AS old WHERE served < $1 AND EXISTS (
                SELECT 1 FROM serving_mark_chain AS next
                WHERE next.chain = old.chain AND next.last_row >= old.last_row AND next.served > old.served AND next.served <= $1)
            """,
            """
            DELETE FROM serving_mark WHERE served < $1
                AND NOT EXISTS (SELECT 1 FROM serving_mark_chain AS kept WHERE kept.served = serving_mark.served)
            """,
        ]
        for sql in statements { transaction.enqueue(SQLStatement(sql, [.number(mark)])) }
    }

    /// A condition for chains whose rows are not dropped as a whole: those of the first partition, and of the last one with rows.
    private static func isUndivided(_ table: AuditTable, _ chain: String) -> String {
        """
        (\(chain) < (SELECT chains FROM chain_range WHERE first = 0) OR \(chain) >= (SELECT max(first) FROM chain_range
            WHERE first <= (SELECT max(id) >> \(ChainedRow.placeBits) FROM \(table.rawValue))))
        """
    }

    /// The last mark after which this much was served.
    static func mark(servedSince age: Int64, _ transaction: Transaction) throws -> Int64? {
        let sql = """
            SELECT serving_mark.served FROM serving_mark, clock WHERE serving_mark.served <= clock.served - $1
            ORDER BY serving_mark.served DESC LIMIT 1
            """
        return try transaction.run(sql, .number(age)).first { $0.number(0) }
    }

    /// An instant after which this much was served, regardless of later changes of the clock.
    private static func instant(servedSince age: Int64, _ transaction: Transaction) throws -> Int64? {
        guard let mark = try mark(servedSince: age, transaction) else { return nil }
        return try transaction.run("SELECT min(reached_at) FROM serving_mark WHERE served >= $1", .number(mark))
            .first { $0.optionalNumber(0) } ?? nil
    }

    /// Drops a partition that is due, or reads only the oldest rows of each chain.
    public func pruneRefusals(servedSince age: Int64, limit: Int) async throws(StoreError) -> Int {
        let dropped = try await dropDay(of: .refusals, servedSince: age) { range, _, transaction in
            guard let instant = try Self.instant(servedSince: age, transaction) else { return false }
            let sql = "SELECT coalesce(max(refused_at) < $1, true) FROM \(range.partition(of: .refusals))"
            return try transaction.run(sql, .number(instant)).first { $0.flag(0) }!
        }
        if dropped > 0 { return dropped }
        return try await store.writeAudited("drop old refusals") { transaction, audit in
            guard try audit.mayRemove(transaction), let instant = try Self.instant(servedSince: age, transaction) else {
                return 0
            }
            try transaction.enqueue("DELETE FROM offer_tally WHERE minute < $1 / 60000", .number(instant))
            // Rows are removed only from the front, because what is left of a chain must be its end.
            let due = try transaction.run(
                """
                SELECT due.id FROM (\(ChainedRow.ranges(of: .refusals))) AS ranges CROSS JOIN LATERAL (
                    SELECT id, max(refused_at) OVER (ORDER BY id) AS latest FROM (
                        SELECT id, refused_at FROM refused_request WHERE id >= number << \(ChainedRow.placeBits) AND id < (number + 1) << \(ChainedRow.placeBits)
                        ORDER BY id LIMIT $2) AS oldest
                ) AS due
                WHERE latest < $1 AND $1 > (
                    SELECT refused_at FROM refused_request
                    WHERE id >= number << \(ChainedRow.placeBits) AND id < (number + 1) << \(ChainedRow.placeBits) ORDER BY id LIMIT 1)
                AND \(Self.isUndivided(.refusals, "number")) ORDER BY due.id LIMIT $2
                """, .number(instant), .number(Int64(limit))
            ).map { $0.number(0) }
            guard !due.isEmpty else { return 0 }
            try audit.remove(.refusals, due, transaction)
            return due.count
        }
    }

    /// Deletes old answers.
    public func pruneAnswers(servedSince age: Int64, limit: Int) async throws(StoreError) -> Int {
        try await store.write("drop old answers", .latest) { transaction in
            guard let instant = try Self.instant(servedSince: age, transaction) else { return 0 }
            return try transaction.run(
                """
                DELETE FROM idempotency WHERE (caller, key) IN (
                    SELECT caller, key FROM idempotency WHERE created_at < $1 ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)
                AND created_at < $1
                """, .number(instant), .number(Int64(limit))
            ).changes
        }
    }
}
