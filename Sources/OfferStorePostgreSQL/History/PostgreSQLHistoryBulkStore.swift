public import OfferStore

/// Bulk imports of histories into PostgreSQL.
public final class PostgreSQLHistoryBulkStore: HistoryBulkStore {
    private let store: PostgreSQLStore

    /// Shares the store's writer with the other stores.
    public init(_ store: PostgreSQLStore) { self.store = store }

    /// Uses one transaction for each call, and defers nothing.
    public func apply(
        _ changes: [HistoryChange]
    ) async throws(StoreError) -> (outcomes: [HistoryOutcome], isFlushDue: Bool) {
        let outcomes = try await store.write("store history") { [store] transaction in
            let rows = PostgreSQLHistoryRows(
                transaction, store.customerHash, keepsEvents: store.keepsEvents)
            var merge = HistoryMerge(rows, indexesKnown: true)
            let outcomes = try merge.apply([changes])[0]
            try merge.finish()
            return outcomes
        }
        return (outcomes, false)
    }

    /// Does nothing, as no writes are deferred.
    public func flush() {}
}
