public import EligibilityRules
import GRDB
public import OfferStore

/// The state of the clock, in SQLite.
public struct SQLiteClockStore: ClockStore {
    private let store: SQLiteStore

    /// Works on this open store.
    public init(store: SQLiteStore) { self.store = store }

    /// Reads one row, and the latest rows of the ledger.
    public func clockRecord() async throws(StoreError) -> ClockRecord {
        try await store.read("read what is known of the clock") { try ClockRecord($0) }
    }

    /// Clears a later time that a service noted: it is no longer trusted.
    public func accept(_ instant: Instant) async throws(StoreError) {
        try await store.write("accept the clock") { database in
            try database.execute(
                sql: "UPDATE clock SET accepted_at = ?1, seen_at = CASE WHEN seen_at <= ?1 THEN seen_at END",
                arguments: [instant.milliseconds])
        }
    }

    /// Records the row up to which times do not count.
    public func repair(at instant: Instant) async throws(StoreError) -> Int {
        try await store.write("repair the clock") { database in
            let count = try Int.fetchOne(
                database,
                sql: """
                    SELECT count(*) FROM (SELECT id, signed_at FROM signed_request ORDER BY id DESC LIMIT 5000)
                    WHERE signed_at > ? AND id > (SELECT repaired_row FROM clock)
                    """,
                arguments: [instant.milliseconds])!
            try database.execute(
                sql: """
                    UPDATE clock SET accepted_at = ?1, repaired_at = ?1, seen_at = CASE WHEN seen_at <= ?1 THEN seen_at END,
                        repaired_row = coalesce((SELECT max(id) FROM signed_request), 0)
                    """,
                arguments: [instant.milliseconds])
            return count
        }
    }
}

extension ClockRecord {
    init(_ database: Database) throws {
        // Rows are in the order of commit, which is the order of time except within a batch.
        let sql = """
            SELECT coalesce(
                    (SELECT max(signed_at) FROM (SELECT id, signed_at FROM signed_request ORDER BY id DESC LIMIT 5000)
                    WHERE id > repaired_row), repaired_at) AS latest,
                seen_at, accepted_at, repaired_at
            FROM clock
            """
        let row = try Row.fetchOne(database, sql: sql)!
        func instant(_ name: String) -> Instant? { (row[name] as Int64?).map { Instant(milliseconds: $0) } }
        self.init(
            latest: instant("latest"), seenAt: instant("seen_at"), acceptedAt: instant("accepted_at"),
            repairedAt: instant("repaired_at"))
    }
}
