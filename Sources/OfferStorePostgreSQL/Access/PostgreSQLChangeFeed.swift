public import OfferStore

/// The revisions in PostgreSQL, counted by triggers and by `noteChange(of:)`.
public struct PostgreSQLChangeFeed: ChangeFeed {
    private let store: PostgreSQLStore

    /// Shares the store's readers with the other stores.
    public init(_ store: PostgreSQLStore) { self.store = store }

    /// Reads a table with one row for each topic.
    public func revisions() async throws(StoreError) -> [ChangeTopic: Int64] {
        try await store.readUrgently("look for changes") { transaction in
            let rows = try transaction.run("SELECT topic, number FROM revision")
            return ChangeTopic.revisions(stored: rows.map { ($0.text(0), $0.number(1)) })
        }
    }
}
