import GRDB
import GRDBSQLite
import OfferStore

/// Tells whether a transaction directly follows the previous one of its kind, so that what the previous one has read still holds.
///
/// Reading again what seldom changes would cost as much as writing a signature. It is necessary only after another process has
/// written to the file.
///
/// Unchecked: confined to the writer's queue.
final class CommitWatch: @unchecked Sendable {
    private var start: (end: LogIndex.End, pages: Int32)?
    /// The log's end after the previous transaction of this kind; nil if unknown.
    private var latest: LogIndex.End?

    /// Begins a transaction, which must hold the write lock. Returns whether nothing was committed since the previous one.
    func begin(_ database: Database) throws(StoreError) -> Bool {
        let previous = latest
        latest = nil
        start = try StoreFile(database).logIndex().map { ($0.end, Self.pagesWritten(database)) }
        return previous != nil && previous == start?.end
    }

    /// Notes that the transaction is durable.
    func commit(_ database: Database) {
        // The end is computed from the pages written, because the index could already show the commit of another process. If the
        // log has restarted, its new salt differs from the one kept here.
        guard let start else { return }
        // SQLite counts in 32 bits.
        let pages = Self.pagesWritten(database) &- start.pages
        if pages > 0 { latest = LogIndex.End(salt: start.end.salt, frames: start.end.frames &+ UInt32(pages)) }
    }

    /// The number of pages that the connection has written to its log.
    private static func pagesWritten(_ database: Database) -> Int32 {
        var (pages, highest): (Int32, Int32) = (0, 0)
        sqlite3_db_status(database.sqliteConnection, SQLITE_DBSTATUS_CACHE_WRITE, &pages, &highest, 0)
        return pages
    }
}
