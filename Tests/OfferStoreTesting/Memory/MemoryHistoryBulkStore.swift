package import OfferStore
import Synchronization

/// Bulk intake into memory; the index of transactions waits for a flush, and is lost without one.
package final class MemoryHistoryBulkStore: HistoryBulkStore {
    private static let maxPending = 1000

    private let file: MemoryHistoryFile
    private let pending = Mutex<[(HistoryKey, chain: Int64)]>([])

    /// What is in the file.
    package init(_ file: MemoryHistoryFile) { self.file = file }

    package func apply(
        _ changes: [HistoryChange]
    ) async throws(StoreError) -> (outcomes: [HistoryOutcome], isFlushDue: Bool) {
        let outcomes = try file.merge(indexesKnown: true) { merge in
            try merge.apply([changes])[0]
        } index: { entries, _ in
            pending.withLock { $0 += entries }
        }
        return (outcomes, pending.withLock { $0.count >= Self.maxPending })
    }

    package func flush() async throws(StoreError) {
        let entries = pending.withLock { pending in
            defer { pending = [] }
            return pending
        }
        file.withRows { $0.enter(entries) }
    }
}
