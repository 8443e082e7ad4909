import OfferStore
import OfferStoreSQL
import OfferStoreTesting

@testable import OfferStorePostgreSQL

/// A schema of its own in the tests' PostgreSQL.
final class PostgreSQLStoreFixture: RedemptionFixture {
    let histories: any HistoryStore
    let bulk: any HistoryBulkStore
    let customers: any CustomerScan
    let receipts: any ReceiptStore
    let refunds: any RefundStore
    let redemptions: any RedemptionStore
    let ledger: any Ledger
    private let store: PostgreSQLStore
    private let address: String

    convenience init() throws { try self.init(TestDatabase.newSchema()) }

    private init(_ address: String) throws {
        self.address = address
        store = try PostgreSQLStore(address, readers: 2, audit: .testing)
        histories = PostgreSQLHistoryStore(store)
        bulk = PostgreSQLHistoryBulkStore(store)
        customers = PostgreSQLCustomerScan(store)
        receipts = SQLReceiptStore(store)
        refunds = SQLRefundStore(store)
        redemptions = PostgreSQLRedemptionStore(store)
        ledger = PostgreSQLLedger(store)
    }

    deinit { store.close() }

    func reopened() throws -> PostgreSQLStoreFixture {
        store.close()
        return try PostgreSQLStoreFixture(address)
    }

    func damageRecord(originalTransactionID: String, partition: AppPartition) async throws {
        let changed = try await store.write("damage a record") { transaction in
            try transaction.run(
                """
                UPDATE purchase_chain SET gist = substr(gist, 1, length(gist) / 2), record = substr(record, 1, length(record) / 2)
                WHERE original_transaction_id = $1 AND app = (SELECT number FROM app WHERE name = $2)
                """, .text(originalTransactionID), .text(partition.name)
            ).changes
        }
        precondition(changed == 1)
    }
}
