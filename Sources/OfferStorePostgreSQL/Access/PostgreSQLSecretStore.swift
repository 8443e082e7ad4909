public import OfferStore

/// Shared secrets in PostgreSQL.
public struct PostgreSQLSecretStore: SecretStore {
    private let store: PostgreSQLStore

    /// Shares the store's writer with the other stores.
    public init(_ store: PostgreSQLStore) { self.store = store }

    /// The secret of this name. If there is one, the result of `make` is discarded.
    public func secret(named name: String, make: @Sendable () throws -> [UInt8]) async throws -> [UInt8] {
        let proposal = try make()
        return try await store.write("keep the secret \(name)", .latest) { transaction in
            try SecretRows.secret(named: name, make: { proposal }, transaction)
        }
    }

    /// Removes the secret in its own transaction.
    public func remove(named name: String) async throws(StoreError) {
        try await store.write("remove the secret \(name)", .latest) { transaction in
            _ = try transaction.run("DELETE FROM secret WHERE name = $1", .text(name))
        }
    }
}
