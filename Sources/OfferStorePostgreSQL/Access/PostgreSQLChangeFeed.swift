public import OfferStore

/// The revisions that triggers of the schema count, and campaigns themselves.
public struct PostgreSQLChangeFeed: ChangeFeed {
    private let store: PostgreSQLStore

    /// Shares the store's readers with the other stores.
    public init(_ store: PostgreSQLStore) { self.store = store }

    /// A table of as many rows as there are topics.
    public func revisions() async throws(StoreError) -> [ChangeTopic: Int64] {
        try await store.read("look for changes") { transaction in
            let rows = try transaction.run("SELECT topic, number FROM revision")
            return ChangeTopic.revisions(stored: rows.map { ($0.text(0), $0.number(1)) })
        }
    }
}
