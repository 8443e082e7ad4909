import GRDB

/// Transactions still to be entered into the index that leads from any transaction to its chain.
///
/// Entered in the order of their ids, many at a time: an index of millions is then written page by page, not at random.
struct TransactionIndex: Sendable {
    private struct Entry: Sendable {
        let id: String
        let app: Int64
        let chain: Int64
    }

    private var entries: [Entry] = []
    private var isSorted = true

    var count: Int { entries.count }

    mutating func add(_ id: String, app: Int64, chain: Int64) {
        entries.append(Entry(id: id, app: app, chain: chain))
        isSorted = false
    }

    mutating func add(_ other: TransactionIndex) {
        entries += other.entries
        isSorted = false
    }

    /// Enters up to so many of them; the rest stays.
    mutating func write(atMost limit: Int = .max, _ database: Database) throws {
        guard !entries.isEmpty else { return }
        if !isSorted {
            // Backwards, so that those that are taken leave from the end.
            entries.sort { ($1.id.utf8.count, $1.id) < ($0.id.utf8.count, $0.id) }
            isSorted = true
        }
        let insert = try PreparedStatement(
            database, "INSERT OR IGNORE INTO purchase_transaction (transaction_id, app, chain) VALUES (?, ?, ?)")
        for entry in entries.suffix(limit).reversed() {
            insert.bind(id: entry.id, at: 1)
            insert.bind(entry.app, at: 2)
            insert.bind(entry.chain, at: 3)
            try insert.run()
        }
        entries.removeLast(min(limit, entries.count))
    }
}
