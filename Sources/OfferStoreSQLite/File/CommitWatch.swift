import GRDB
import OfferStore

/// Tells whether a transaction directly follows the previous one of its kind, so that what that one has read still holds.
///
/// Reading again what seldom changes costs as much as writing a signature. Other processes write, too.
///
/// Unchecked: confined to the writer's queue.
final class CommitWatch: @unchecked Sendable {
    private var start: (log: LogIndex, changes: Int)?
    /// The log after the previous transaction of this kind; nil if unknown.
    private var latest: LogIndex?

    /// Begins a transaction, which must hold the write lock. Returns whether nothing was committed since the previous one.
    func begin(_ database: Database) throws(StoreError) -> Bool {
        let previous = latest
        latest = nil
        start = try StoreFile(database).logIndex().map { ($0, database.totalChangesCount) }
        guard let previous, let start else { return false }
        return previous.isSameCommit(as: start.log)
    }

    /// Notes that the transaction is durable.
    func commit(_ database: Database) {
        // Another process may have committed since. Then the log is further, and the next transaction reads everything again.
        guard let start, database.totalChangesCount > start.changes, let log = try? StoreFile(database).logIndex(),
            log.salt == start.log.salt, log.commits == start.log.commits &+ 1
        else { return }
        latest = log
    }
}
