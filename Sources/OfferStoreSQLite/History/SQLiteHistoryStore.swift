import EligibilityRules
import FoundationEssentials
package import GRDB
package import OfferStore
import OfferStoreSQL
import Synchronization

/// Histories in SQLite: one row for each purchase chain, indexed by customer, account token and transaction.
package final class SQLiteHistoryStore: SQLHistoryStore {
    private static let maxPerBatch = 512

    package let store: SQLiteStore
    private let file: SQLiteHistoryFile
    private var hash: SipHash { file.customerHash }
    private let apps = Mutex<[AppPartition: Int64]>([:])
    private let commits: GroupCommit<HistoryChange, HistoryOutcome>

    /// Shares the store's writer with all other stores.
    package init(_ file: SQLiteHistoryFile) {
        store = file.store
        self.file = file
        commits = store.groupCommit("store history", maxPerBatch: Self.maxPerBatch) {
            jobs, database, _ in
            let rows = try SQLiteHistoryRows(database, file)
            var merge = HistoryMerge(rows)
            let outcomes = try merge.apply(jobs)
            try merge.finish()
            try rows.writeIndex()
            return outcomes
        }
    }

    /// Looks up customers, all in one read.
    package func find(_ queries: [HistoryQuery], completion: @escaping Found) {
        store.pool.asyncRead { [self] result in
            completion(
                Result {
                    try store.checkIntact()
                    return try find(queries, result.get())
                }
                .mapError { StoreError(wrapping: $0, doing: "look up history") })
        }
    }

    private func find(_ queries: [HistoryQuery], _ database: Database) throws -> [HistoryRecord] {
        let reading = try HistoryReading(database, .summary, hash)
        // Created for the first query that needs it.
        var whole: HistoryReading?
        return try queries.map { query in
            guard let app = try number(ofApp: query.partition, database) else { return HistoryRecord(.unknown) }
            guard query.isWhole else { return try reading.record(of: query, app: app) }
            if whole == nil { whole = try HistoryReading(database, .whole, hash) }
            return HistoryRecord(try whole!.history(of: query, app: app))
        }
    }

    // An app's number never changes.
    private func number(ofApp partition: AppPartition, _ database: Database) throws -> Int64? {
        if let number = apps.withLock({ $0[partition] }) { return number }
        let number = try AppNumbers.existing(partition, database)
        if let number { apps.withLock { $0[partition] = number } }
        return number
    }

    /// Answers all queries in one read.
    package func wholeHistories(of queries: [HistoryQuery]) async throws(StoreError) -> [StoredHistory] {
        try await store.read("look up history") { [self] database in
            let reading = try HistoryReading(database, .whole, hash)
            return try queries.map { query in
                guard let app = try number(ofApp: query.partition, database) else { return .unknown }
                return try reading.history(of: query, app: app)
            }
        }
    }

    /// Queues changes for the next transaction.
    package func apply(_ changes: [HistoryChange], completion: @escaping Completion) {
        commits.submit(changes, completion: completion)
    }

    package func rows(_ database: Database) throws -> SQLiteHistoryRows { try SQLiteHistoryRows(database, file) }

    package func finish(_ rows: SQLiteHistoryRows) throws { try rows.writeIndex() }
}
