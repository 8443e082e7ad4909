import EligibilityRules
package import OfferStore
import OfferStoreSQL

/// Histories in PostgreSQL: one row for each purchase chain, indexed by customer, account token and transaction.
package final class PostgreSQLHistoryStore: SQLHistoryStore {
    private static let maxPerBatch = 512

    package let store: PostgreSQLStore
    private let hash: SipHash
    private let commits: GroupCommit<HistoryChange, HistoryOutcome>

    /// Shares the store's sessions with the other stores.
    package init(_ store: PostgreSQLStore) {
        self.store = store
        let (hash, keepsEvents) = (store.customerHash, store.keepsEvents)
        self.hash = hash
        commits = store.groupCommit("store history", maxPerBatch: Self.maxPerBatch) { jobs, transaction in
            var merge = HistoryMerge(PostgreSQLHistoryRows(transaction, hash, keepsEvents: keepsEvents))
            let outcomes = try merge.apply(jobs)
            try merge.finish()
            return outcomes
        }
    }

    /// Looks up customers, all in one read.
    package func find(_ queries: [HistoryQuery], completion: @escaping Found) {
        store.read("look up history", { try HistoryReading($0).records(of: queries) }, completion: completion)
    }

    /// Answers all queries in one read.
    package func wholeHistories(of queries: [HistoryQuery]) async throws(StoreError) -> [StoredHistory] {
        try await store.read("look up history") {
            let reading = HistoryReading($0)
            return try queries.map { try reading.history(of: $0.whole) }
        }
    }

    /// Queues changes for the next transaction.
    package func apply(_ changes: [HistoryChange], completion: @escaping Completion) {
        commits.submit(changes, completion: completion)
    }

    package func rows(_ transaction: Transaction) -> PostgreSQLHistoryRows {
        PostgreSQLHistoryRows(transaction, hash, keepsEvents: store.keepsEvents)
    }
}
