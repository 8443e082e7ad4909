import Dispatch
import GRDB
import OfferStore
import Synchronization

/// Copies a store's log into its file, on a connection beside the writer, so that no transaction waits while thousands of pages
/// are copied.
///
/// Blocks the writer only to copy what was written meanwhile, so that the log can restart.
final class LogCheckpoints: Sendable {
    // The length of the log, in pages, at which a checkpoint begins. With a longer log checkpoints are rarer, and cost less for
    // each row.
    private static let first = 16_000
    // Pages until the next attempt, if a reader kept the log from restarting.
    private static let step = 1_000
    // The second round copies only what was written during the first.
    private static let rounds = 2

    private let pool: DatabasePool
    private let queue: DatabaseQueue
    private let files: StoreFileGuard
    private let sync: @Sendable (Database) throws -> Void
    private let work = DispatchQueue(label: "store.checkpoint")
    /// The log length, in pages, at which the next checkpoint begins.
    private let next = Atomic(first)
    private let observer = Mutex<(any LedgerObserver)?>(nil)

    /// - Parameter sync: makes the file durable.
    init(
        _ pool: DatabasePool,
        _ configuration: Configuration,
        _ files: StoreFileGuard,
        sync: @escaping @Sendable (Database) throws -> Void = { try StoreFile($0).sync() }
    ) throws {
        self.pool = pool
        self.files = files
        self.sync = sync
        queue = try DatabaseQueue(path: pool.path, configuration: configuration)
    }

    /// Waits for a running checkpoint. Afterwards none begins.
    func close() throws {
        // Runs after a running checkpoint, which sets at its end when the next is due.
        work.sync { next.store(.max, ordering: .relaxed) }
        try queue.close()
    }

    /// Sets the observer that receives the result of each checkpoint.
    func report(to observer: (any LedgerObserver)?) { self.observer.withLock { $0 = observer } }

    /// Begins a checkpoint if it is due. Called on the writer.
    ///
    /// - Parameter pages: the length of the log.
    func note(_ pages: Int) {
        let due = next.load(ordering: .relaxed)
        guard pages >= due else {
            // The log has restarted.
            if pages < Self.first, due < .max { next.store(Self.first, ordering: .relaxed) }
            return
        }
        next.store(.max, ordering: .relaxed)
        work.async { [self] in
            let result = Result { try runOrFail() }.mapError {
                StoreError(wrapping: $0, doing: "move the store's log into the store")
            }
            next.store(((try? result.get())?.pages ?? pages) + Self.step, ordering: .relaxed)
            observer.withLock { $0 }?.ledgerDidCheckpoint(result.map(\.pause))
        }
    }

    /// Runs a checkpoint.
    ///
    /// After a failure of the disk the store fails until a restart, which copies the whole log again.
    ///
    /// Linux reports such a failure only once. A later checkpoint would succeed, and the log would restart, although pages are
    /// missing on the disk.
    private func runOrFail() throws -> (pause: Duration, pages: Int?) {
        do { return try run() } catch let error as DatabaseError where error.resultCode == .SQLITE_IOERR {
            files.fail(
                StoreError(
                    .unavailable,
                    "the disk failed while the log was copied into the store; check the disk, then restart the service: the log has "
                        + "every row"))
            throw error
        }
    }

    /// Returns how long the writer was blocked, and the length of the log; nil if another process is running a checkpoint.
    private func run() throws -> (pause: Duration, pages: Int?) {
        // At usual priority a checkpoint would take half of a processor from the threads that sign, for as long as it copies.
        try LowPriorityThread.run { [queue, sync] in
            try queue.writeWithoutTransaction { database in
                for _ in 0..<Self.rounds {
                    _ = try Self.copy(database)
                    // SQLite itself syncs the file only if nothing was written meanwhile. Without this call the writer would
                    // wait, in the last copy below, until the disk has all pages.
                    try sync(database)
                }
            }
        }
        return try pool.writeWithoutTransaction { database in
            let start = ContinuousClock.now
            let pages = try Self.copy(database)
            return (ContinuousClock.now - start, pages)
        }
    }

    private static func copy(_ database: Database) throws -> Int? {
        do {
            return try database.checkpoint(.passive).walFrameCount
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            return nil
        }
    }
}
