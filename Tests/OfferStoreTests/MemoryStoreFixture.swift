import OfferStore
import OfferStoreTesting

/// A store in memory; what a restart leaves of it are its rows.
final class MemoryStoreFixture: RedemptionFixture {
    let histories: any HistoryStore
    let bulk: any HistoryBulkStore
    let customers: any CustomerScan
    let receipts: any ReceiptStore
    let refunds: any RefundStore
    let redemptions: any RedemptionStore
    let ledger: any Ledger
    private let rows: MemoryHistoryFile
    private let signatures: MemoryLedger

    convenience init() { self.init(MemoryHistoryFile(), MemoryLedger()) }

    private init(_ rows: MemoryHistoryFile, _ signatures: MemoryLedger) {
        self.rows = rows
        self.signatures = signatures
        let store = PurchaseStore.memory(rows) { .testNow }
        (histories, bulk, receipts, refunds) = (store.histories, store.bulk, store.receipts, store.refunds)
        customers = store.customers
        redemptions = MemoryRedemptionStore(rows, signatures: signatures)
        ledger = signatures
    }

    func reopened() -> MemoryStoreFixture { MemoryStoreFixture(rows, signatures) }

    func damageRecord(originalTransactionID: String, partition: AppPartition) {
        precondition(rows.damageRecord(originalTransactionID: originalTransactionID, partition: partition))
    }
}
