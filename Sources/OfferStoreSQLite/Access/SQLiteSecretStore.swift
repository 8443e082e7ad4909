import FoundationEssentials
import GRDB
public import OfferStore

/// Shared secrets in SQLite.
public struct SQLiteSecretStore: SecretStore {
    private let store: SQLiteStore

    /// Uses an open store.
    public init(store: SQLiteStore) { self.store = store }

    /// The secret of this name, created on first use.
    public func secret(named name: String, make: @Sendable () throws -> [UInt8]) async throws -> [UInt8] {
        let proposal = Data(try make())
        return try await store.write("keep the secret \(name)") { database in
            try database.execute(sql: "INSERT OR IGNORE INTO secret VALUES (?, ?)", arguments: [name, proposal])
            return Array(try Data.fetchOne(database, sql: "SELECT value FROM secret WHERE name = ?", arguments: [name])!)
        }
    }

    /// Removes the secret in its own transaction.
    public func remove(named name: String) async throws(StoreError) {
        try await store.write("remove the secret \(name)") { database in
            try database.execute(sql: "DELETE FROM secret WHERE name = ?", arguments: [name])
        }
    }
}
