public import EligibilityRules
public import OfferStore
import OfferStoreSQL

/// The state of the clock, in PostgreSQL.
public struct PostgreSQLClockStore: ClockStore {
    private let store: PostgreSQLStore

    /// Works on this open store.
    public init(_ store: PostgreSQLStore) { self.store = store }

    /// Reads one row, and the latest signing time of each chain.
    public func clockRecord() async throws(StoreError) -> ClockRecord {
        try await store.read("read what is known of the clock") { try ClockRecord($0) }
    }

    /// Clears a later time that a service noted: it is no longer trusted.
    public func accept(_ instant: Instant) async throws(StoreError) {
        try await store.write("accept the clock") { transaction in
            try transaction.enqueue(
                "UPDATE clock SET accepted_at = $1, seen_at = CASE WHEN seen_at <= $1 THEN seen_at END", .instant(instant))
        }
    }

    /// Records the row of each chain up to which times do not count.
    public func repair(at instant: Instant) async throws(StoreError) -> Int {
        try await store.write("repair the clock") { transaction in
            let count = try transaction.run(
                """
                SELECT count(*) FROM (SELECT id, signed_at FROM signed_request ORDER BY signed_at DESC, id DESC LIMIT 5000) AS latest
                LEFT JOIN repaired_chain ON chain = id >> \(ChainedRow.placeBits) WHERE signed_at > $1 AND id > coalesce(last_row, 0)
                """, .instant(instant)
            ).first { Int($0.number(0)) }!
            try transaction.enqueue(
                """
                INSERT INTO repaired_chain (chain, last_row) SELECT chain, last_row FROM (\(ChainedRow.lastRows(of: .signatures))) AS last
                ON CONFLICT (chain) DO UPDATE SET last_row = excluded.last_row
                """)
            try transaction.enqueue("DELETE FROM latest_signature")
            try transaction.enqueue(
                """
                UPDATE clock SET accepted_at = $1, repaired_at = $1, seen_at = CASE WHEN seen_at <= $1 THEN seen_at END
                """, .instant(instant))
            return count
        }
    }
}

extension ClockRecord {
    init(_ transaction: Transaction) throws {
        let sql = """
            SELECT coalesce((SELECT max(at) FROM latest_signature), repaired_at), seen_at, accepted_at, repaired_at FROM clock
            """
        self = try transaction.run(sql).first { row in
            ClockRecord(
                latest: row.optionalInstant(0), seenAt: row.optionalInstant(1), acceptedAt: row.optionalInstant(2),
                repairedAt: row.optionalInstant(3))
        }!
    }
}
