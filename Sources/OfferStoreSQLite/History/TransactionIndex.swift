import GRDB

/// Pending entries of the index from transactions to their chains.
///
/// Written in the order of ids, many at a time: this writes a large index page by page instead of at random.
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

    /// Writes up to `limit` entries, and keeps the rest.
    mutating func write(atMost limit: Int = .max, _ database: Database) throws {
        guard !entries.isEmpty else { return }
        if !isSorted {
            // In reverse order, so that entries are removed from the end.
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
