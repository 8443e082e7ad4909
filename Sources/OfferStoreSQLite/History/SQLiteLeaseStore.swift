public import EligibilityRules
import GRDB
public import OfferStore

/// Leases and progress in SQLite.
public struct SQLiteLeaseStore: LeaseStore, ProgressStore {
    private let store: SQLiteStore
    private let now: @Sendable () -> Instant

    /// Shares the store's writer with all other stores.
    ///
    /// - Parameter now: returns the time. All processes on this file share it, as they run on one machine.
    public init(_ file: SQLiteHistoryFile, now: @escaping @Sendable () -> Instant) {
        store = file.store
        self.now = now
    }

    /// Compares and swaps the lease's row.
    public func acquire(_ name: String, holder: String, milliseconds: Int64) async throws(StoreError) -> Bool {
        try await store.write("take the lease \(name)") { [now] database in
            let now = now()
            try database.execute(
                sql: """
                    INSERT INTO lease (name, holder, expires_at) VALUES (?1, ?2, ?3)
                    ON CONFLICT (name) DO UPDATE SET holder = ?2, expires_at = ?3 WHERE holder = ?2 OR expires_at <= ?4
                    """,
                arguments: [name, holder, now.advanced(by: milliseconds).milliseconds, now.milliseconds]
            )
            return database.changesCount > 0
        }
    }

    /// Deletes the lease's row.
    public func release(_ name: String, holder: String) async throws(StoreError) {
        try await store.write("give the lease \(name) back") { database in
            try database.execute(sql: "DELETE FROM lease WHERE name = ? AND holder = ?", arguments: [name, holder])
        }
    }

    /// Reads the row of a name.
    public func progress(_ name: String) async throws(StoreError) -> String? {
        try await store.read("read progress") { database in
            try String.fetchOne(database, sql: "SELECT value FROM progress WHERE name = ?", arguments: [name])
        }
    }

    /// Writes the row of a name.
    public func setProgress(_ name: String, to value: String) async throws(StoreError) {
        try await store.write("note progress") { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO progress (name, value) VALUES (?, ?)", arguments: [name, value])
        }
    }
}
