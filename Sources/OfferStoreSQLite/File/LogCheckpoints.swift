import Dispatch
import GRDB
import OfferStore
import Synchronization

/// Copies a store's log into its file beside the writer, on a connection of its own: no transaction waits for thousands of pages.
///
/// Only what was written meanwhile is copied on the writer's turn, so that the log can begin anew.
final class LogCheckpoints: Sendable {
    // In pages. A long log makes checkpoints rarer, and cheaper a row.
    private static let first = 16_000
    // Until another one is tried, where a reader has kept the log from beginning anew.
    private static let step = 1_000
    // What is written during the first one is less for the second.
    private static let rounds = 2

    private let pool: DatabasePool
    private let queue: DatabaseQueue
    private let work = DispatchQueue(label: "store.checkpoint")
    /// At how many pages the next one begins.
    private let next = Atomic(first)
    private let observer = Mutex<(any LedgerObserver)?>(nil)

    init(_ pool: DatabasePool, _ configuration: Configuration) throws {
        self.pool = pool
        queue = try DatabaseQueue(path: pool.path, configuration: configuration)
    }

    /// Waits for the one that runs; there is no other one afterwards.
    func close() throws {
        // Behind the one that runs, which says at its end when the next is due.
        work.sync { next.store(.max, ordering: .relaxed) }
        try queue.close()
    }

    /// Has an observer told how each one ends.
    func report(to observer: (any LedgerObserver)?) { self.observer.withLock { $0 = observer } }

    /// Begins one if it is time; on the writer.
    ///
    /// - Parameter pages: how long the log is.
    func note(_ pages: Int) {
        let due = next.load(ordering: .relaxed)
        guard pages >= due else {
            // The log has begun anew.
            if pages < Self.first, due < .max { next.store(Self.first, ordering: .relaxed) }
            return
        }
        next.store(.max, ordering: .relaxed)
        work.async { [self] in
            let result = Result { try run() }.mapError { StoreError(wrapping: $0, doing: "move the store's log into the store") }
            observer.withLock { $0 }?.ledgerDidCheckpoint(result)
            next.store(pages + Self.step, ordering: .relaxed)
        }
    }

    /// Returns for how long the writer could not write.
    private func run() throws -> Duration {
        for _ in 0..<Self.rounds { try queue.writeWithoutTransaction(Self.copy) }
        return try pool.writeWithoutTransaction { database in
            let start = ContinuousClock.now
            try Self.copy(database)
            return ContinuousClock.now - start
        }
    }

    private static func copy(_ database: Database) throws {
        do {
            _ = try database.checkpoint(.passive)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            // Another process does it.
        }
    }
}
