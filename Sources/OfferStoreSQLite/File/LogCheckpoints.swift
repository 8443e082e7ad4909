import Dispatch
import GRDB
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
            for _ in 0..<Self.rounds { try? queue.writeWithoutTransaction { _ = try $0.checkpoint(.passive) } }
            pool.writeWithoutTransaction { _ = try? $0.checkpoint(.passive) }
            next.store(pages + Self.step, ordering: .relaxed)
        }
    }
}
