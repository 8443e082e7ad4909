public import EligibilityRules
public import OfferStore

/// Leases and progress in PostgreSQL.
public struct PostgreSQLLeaseStore: LeaseStore, ProgressStore {
    private let store: PostgreSQLStore
    private let now: (@Sendable () -> Instant)?

    /// Shares the store's sessions with the other stores.
    ///
    /// - Parameter now: returns the time; nil uses the database's clock, which all replicas share.
    public init(_ store: PostgreSQLStore, now: (@Sendable () -> Instant)? = nil) { (self.store, self.now) = (store, now) }

    /// Compares and swaps the lease's row.
    public func acquire(_ name: String, holder: String, milliseconds: Int64) async throws(StoreError) -> Bool {
        try await store.write("take the lease \(name)") { [now] transaction in
            let changed = try transaction.run(
                """
                INSERT INTO lease (name, holder, expires_at)
                SELECT $1, $2, clock.now + $3
                FROM (SELECT coalesce($4, (extract(epoch FROM clock_timestamp()) * 1000)::int8)) AS clock (now)
                ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
                WHERE lease.holder = excluded.holder OR lease.expires_at <= excluded.expires_at - $3
                """, .text(name), .text(holder), .number(milliseconds), .instant(now?()))
            return changed.changes > 0
        }
    }

    /// Deletes the lease's row.
    public func release(_ name: String, holder: String) async throws(StoreError) {
        try await store.write("give the lease \(name) back") { transaction in
            _ = try transaction.run("DELETE FROM lease WHERE name = $1 AND holder = $2", .text(name), .text(holder))
        }
    }

    /// Reads the row of a name.
    public func progress(_ name: String) async throws(StoreError) -> String? {
        try await store.read("read progress") { transaction in
            try transaction.run("SELECT value FROM progress WHERE name = $1", .text(name)).first { $0.text(0) }
        }
    }

    /// Writes the row of a name.
    public func setProgress(_ name: String, to value: String) async throws(StoreError) {
        try await store.write("note progress") { transaction in
            _ = try transaction.run(
                "INSERT INTO progress (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                .text(name), .text(value))
        }
    }
}
