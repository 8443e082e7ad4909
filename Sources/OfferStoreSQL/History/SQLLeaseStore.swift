package import EligibilityRules
package import OfferStore

/// The store of leases and of the progress of background jobs, written once for all databases.
package struct SQLLeaseStore<Store: SQLStore>: LeaseStore, ProgressStore {
    private let store: Store
    private let now: (@Sendable () -> Instant)?

    /// Works on this open store.
    ///
    /// - Parameter now: returns the time, which all processes on the store share; nil uses the database's clock.
    package init(_ store: Store, now: (@Sendable () -> Instant)?) { (self.store, self.now) = (store, now) }

    /// Compares and swaps the lease's row.
    package func acquire(_ name: String, holder: String, milliseconds: Int64) async throws(StoreError) -> Bool {
        try await store.write("take the lease \(name)", .serializable) { [now] transaction in
            try transaction.run(
                """
                INSERT INTO lease (name, holder, expires_at) VALUES ($1, $2, coalesce($4, \(Store.Transaction.dialect.now)) + $3)
                ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
                WHERE lease.holder = excluded.holder OR lease.expires_at <= excluded.expires_at - $3
                """, .text(name), .text(holder), .number(milliseconds), .instant(now?())
            ).changes > 0
        }
    }

    package func release(_ name: String, holder: String) async throws(StoreError) {
        try await store.write("give the lease \(name) back", .serializable) { transaction in
            try transaction.enqueue("DELETE FROM lease WHERE name = $1 AND holder = $2", .text(name), .text(holder))
        }
    }

    package func progress(_ name: String) async throws(StoreError) -> String? {
        try await store.read("read progress") { transaction in
            try transaction.run("SELECT value FROM progress WHERE name = $1", .text(name)).first { $0.text(0) }
        }
    }

    package func setProgress(_ name: String, to value: String) async throws(StoreError) {
        try await store.write("note progress", .serializable) { transaction in
            try transaction.enqueue(
                "INSERT INTO progress (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                .text(name), .text(value))
        }
    }
}
