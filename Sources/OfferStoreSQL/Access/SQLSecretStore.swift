package import OfferStore

/// The store of shared secrets, written once for all databases.
package struct SQLSecretStore<Store: SQLStore>: SecretStore {
    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// The secret of this name. If there is one, the result of `make` is discarded.
    package func secret(named name: String, make: @Sendable () throws -> [UInt8]) async throws -> [UInt8] {
        let proposal = try make()
        return try await store.write("keep the secret \(name)", .latest) { try $0.secret(named: name) { proposal } }
    }

    /// Removes the secret in its own transaction.
    package func remove(named name: String) async throws(StoreError) {
        try await store.write("remove the secret \(name)", .latest) { transaction in
            try transaction.enqueue("DELETE FROM secret WHERE name = $1", .text(name))
        }
    }
}

/// The number of changes of each topic, counted by triggers and by `noteChange(of:)`.
package struct SQLChangeFeed<Store: SQLStore>: ChangeFeed {
    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// Reads a table with one row for each topic.
    package func revisions() async throws(StoreError) -> [ChangeTopic: Int64] {
        try await store.readUrgently("look for changes") { transaction in
            let rows = try transaction.run("SELECT topic, number FROM revision")
            return ChangeTopic.revisions(stored: rows.map { ($0.text(0), $0.number(1)) })
        }
    }
}
