import GRDB
public import OfferStore
import Synchronization

/// Bulk imports of histories into SQLite.
public final class SQLiteHistoryBulkStore: HistoryBulkStore {
    // The number of entries that one transaction writes: few enough that a service on the same store can write in between.
    private static let slice = 10_000

    private let store: SQLiteStore
    private let file: SQLiteHistoryFile
    private let maxPending: Int
    private let pending = Mutex(TransactionIndex())

    /// Shares the store's writer with all other stores.
    ///
    /// - Parameter maxPending: how many of Apple's transactions may wait for a flush before it is due. They need memory, and are
    ///   lost in a crash, after which the import is repeated.
    public init(_ file: SQLiteHistoryFile, maxPending: Int = 1_000_000) {
        store = file.store
        self.file = file
        self.maxPending = maxPending
    }

    /// Uses one transaction for each call, and defers the index of transactions.
    public func apply(
        _ changes: [HistoryChange]
    ) async throws(StoreError) -> (outcomes: [HistoryOutcome], isFlushDue: Bool) {
        let (outcomes, index) = try await store.write("store history") { [file] database in
            let rows = try SQLiteHistoryRows(database, file)
            var merge = HistoryMerge(rows, indexesKnown: true)
            let outcomes = try merge.apply([changes])[0]
            try merge.finish()
            return (outcomes, rows.index)
        }
        let count = pending.withLock { pending in
            pending.add(index)
            return pending.count
        }
        await pause()
        return (outcomes, count >= maxPending)
    }

    // SQLite's lock is not fair: a process that asks again at once gets it before processes that wait.
    private func pause() async { try? await Task.sleep(for: .milliseconds(5)) }

    /// Uses one transaction for each slice.
    public func flush() async throws(StoreError) {
        var index = pending.withLock { pending in
            defer { pending = TransactionIndex() }
            return pending
        }
        while index.count > 0 {
            let rest = index
            index = try await store.write("index transactions") { database in
                var index = rest
                try index.write(atMost: Self.slice, database)
                return index
            }
            await pause()
        }
    }
}
