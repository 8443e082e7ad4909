package import EligibilityRules
package import OfferStore

extension PurchaseStore {
    /// A store that forgets: what the contracts mean, in its simplest form.
    package static func memory(_ file: MemoryHistoryFile, now: @escaping @Sendable () -> Instant) -> PurchaseStore {
        let leases = MemoryLeaseStore(now: now)
        return PurchaseStore(
            histories: MemoryHistoryStore(file), customers: MemoryCustomerScan(file), bulk: MemoryHistoryBulkStore(file),
            receipts: MemoryReceiptStore(file), refunds: MemoryRefundStore(file),
            leases: leases, progress: leases, file: MemoryFile())
    }
}
