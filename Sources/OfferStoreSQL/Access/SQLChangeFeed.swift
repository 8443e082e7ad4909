package import OfferStore

/// The revisions, counted by triggers and by `noteChange(of:)`.
package struct SQLChangeFeed<Store: SQLStore>: ChangeFeed {
    private let store: Store

    /// Uses an open store.
    package init(_ store: Store) { self.store = store }

    /// Reads a table with one row for each topic.
    package func revisions() async throws(StoreError) -> [ChangeTopic: Int64] {
        try await store.readUrgently("look for changes") { transaction in
            let rows = try transaction.run("SELECT topic, number FROM revision")
            return ChangeTopic.revisions(stored: rows.map { ($0.text(0), $0.number(1)) })
        }
    }
}
