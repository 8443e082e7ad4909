import GRDB
public import OfferStore

/// The revisions in SQLite, counted by triggers and by `noteChange(of:)`.
public struct SQLiteChangeFeed: ChangeFeed {
    private let store: SQLiteStore

    /// Uses an open store.
    public init(store: SQLiteStore) { self.store = store }

    /// Reads a table with one row for each topic.
    public func revisions() async throws(StoreError) -> [ChangeTopic: Int64] {
        try await store.readUrgently("look for changes") { database in
            let statement = try database.cachedStatement(sql: "SELECT topic, number FROM revision")
            return ChangeTopic.revisions(stored: try Row.fetchAll(statement).map { ($0[0], $0[1]) })
        }
    }
}
