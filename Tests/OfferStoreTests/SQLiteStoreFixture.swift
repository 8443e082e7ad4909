import GRDB
import OfferStore
import OfferStoreSQL
import OfferStoreSQLite
import OfferStoreTesting

/// An SQLite store in a folder of its own, which goes with it.
final class SQLiteStoreFixture: RedemptionFixture {
    let histories: any HistoryStore
    let bulk: any HistoryBulkStore
    let customers: any CustomerScan
    let receipts: any ReceiptStore
    let refunds: any RefundStore
    let redemptions: any RedemptionStore
    let ledger: any Ledger
    private let store: SQLiteStore
    private let file: SQLiteHistoryFile
    private let folder: TemporaryFolder

    convenience init() throws { try self.init(folder: TemporaryFolder()) }

    private init(folder: TemporaryFolder) throws {
        self.folder = folder
        store = try SQLiteStore(path: folder.path("store.sqlite"), audit: .testing)
        file = try SQLiteHistoryFile(path: folder.path("histories.sqlite"))
        histories = SQLiteHistoryStore(file)
        bulk = SQLiteHistoryBulkStore(file)
        customers = SQLiteCustomerScan(file)
        receipts = SQLReceiptStore(file)
        refunds = SQLRefundStore(file.store)
        redemptions = SQLiteRedemptionStore(file, signatures: store)
        ledger = SQLiteLedger(store: store)
    }

    func reopened() throws -> SQLiteStoreFixture {
        try file.close()
        try store.close()
        return try SQLiteStoreFixture(folder: folder)
    }

    func damageRecord(originalTransactionID: String, partition: AppPartition) async throws {
        let queue = try DatabaseQueue(path: folder.path("histories.sqlite"))
        let changed = try await queue.write { database in
            try database.execute(
                sql: """
                    UPDATE purchase_chain SET gist = substr(gist, 1, length(gist) / 2), record = substr(record, 1, length(record) / 2)
                    WHERE original_transaction_id = ? AND app = (SELECT number FROM app WHERE name = ?)
                    """,
                arguments: [Int64(originalTransactionID), partition.name]
            )
            let changed = database.changesCount
            try database.execute(
                sql: """
                    UPDATE customer SET subscriptions = substr(subscriptions, 1, length(subscriptions) / 2)
                    WHERE (app, customer_id) = (SELECT app, customer_id FROM purchase_chain WHERE original_transaction_id = ?)
                    """,
                arguments: [Int64(originalTransactionID)]
            )
            return changed
        }
        precondition(changed == 1)
    }
}
