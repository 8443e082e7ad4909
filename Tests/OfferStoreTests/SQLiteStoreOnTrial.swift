import GRDB
import OfferStore

/// An SQLite store in a folder of its own, which goes with it.
final class SQLiteStoreOnTrial: StoreOnTrial {
    let histories: any HistoryStore
    let redemptions: any RedemptionStore
    let leases: any LeaseStore
    let progress: any ProgressStore
    let ledger: any Ledger
    private let store: SQLiteStore
    private let folder: TemporaryFolder

    convenience init() throws { try self.init(folder: TemporaryFolder()) }

    private init(folder: TemporaryFolder) throws {
        self.folder = folder
        store = try SQLiteStore(path: folder.path("store.sqlite"))
        histories = SQLiteHistoryStore(store: store)
        redemptions = SQLiteRedemptionStore(store: store)
        leases = SQLiteLeaseStore(store: store)
        progress = SQLiteLeaseStore(store: store)
        ledger = SQLiteLedger(store: store)
    }

    func reopened() throws -> any StoreOnTrial {
        try store.close()
        return try SQLiteStoreOnTrial(folder: folder)
    }

    func damageRecord(originalTransactionID: String, bundleID: String) async throws {
        let queue = try DatabaseQueue(path: folder.path("store.sqlite"))
        let changed = try await queue.write { database in
            try database.execute(
                sql: """
                    UPDATE purchase_chain SET gist = substr(gist, 1, length(gist) / 2), record = substr(record, 1, length(record) / 2)
                    WHERE original_transaction_id = ? AND app = (SELECT number FROM app WHERE bundle_id = ?)
                    """,
                arguments: [Int64(originalTransactionID), bundleID]
            )
            return database.changesCount
        }
        precondition(changed == 1)
    }
}
