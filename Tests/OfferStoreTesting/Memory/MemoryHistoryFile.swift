import EligibilityRules
package import OfferStore
import Synchronization

/// Histories that are forgotten with the process, and what follows from them.
package final class MemoryHistoryFile: Sendable {
    private let rows: Mutex<MemoryHistoryRows>

    /// An empty one.
    ///
    /// - Parameter keepsEvents: whether changes make events.
    package init(keepsEvents: Bool = false) { rows = Mutex(MemoryHistoryRows(keepsEvents: keepsEvents)) }

    /// Cuts what is stored of a chain short; false if nothing is.
    package func damageRecord(originalTransactionID: String, partition: AppPartition) -> Bool {
        withRows { rows in
            guard let app = rows.existing(partition), let number = rows.number(ofTransaction: originalTransactionID, app: app)
            else { return false }
            rows.chains[number].summary.removeLast(rows.chains[number].summary.count / 2)
            rows.chains[number].record.removeLast(rows.chains[number].record.count / 2)
            return true
        }
    }

    /// How often it was searched for what changes are about.
    package var looks: Int { withRows(\.looks) }

    /// The next changes that make events.
    func eventRows(after position: Int64) -> [EventRow] {
        withRows { rows in
            rows.events.filter { $0.number > position }
                .map { EventRow(position: $0.number, at: $0.recordedAt, .purchase($0.event)) }
        }
    }

    /// Forgets changes that made their events.
    func dropEvents(through position: Int64) {
        withRows { $0.dropEvents(through: position) }
    }

    func withRows<Value: Sendable>(_ body: (MemoryHistoryRows) -> Value) -> Value { rows.withLock { body($0) } }

    /// Erases as one transaction.
    func erase(customerID: String, partition: AppPartition, at now: Instant) throws(StoreError) -> ErasedHistory {
        do {
            return try rows.withLock { rows in
                guard rows.existing(partition) != nil else { return ErasedHistory() }
                return try HistoryErasure(rows).erase(customerID: customerID, partition: partition, at: now)
            }
        } catch {
            throw error as? StoreError ?? StoreError(.unavailable, "\(error)")
        }
    }

    /// Merges as one transaction, but for the index of transactions, which `index` is given.
    func merge<Value: Sendable>(
        indexesKnown: Bool = false,
        _ body: (inout HistoryMerge<MemoryHistoryRows>) throws -> Value,
        index: ([(HistoryKey, chain: Int64)], MemoryHistoryRows) -> Void = { $1.enter($0) }
    ) throws(StoreError) -> Value {
        do {
            return try rows.withLock { rows in
                var merge = HistoryMerge(rows, indexesKnown: indexesKnown)
                let value = try body(&merge)
                try merge.finish()
                index(rows.toIndex, rows)
                rows.toIndex = []
                return value
            }
        } catch {
            throw error as? StoreError ?? StoreError(.unavailable, "\(error)")
        }
    }
}
