/// The stores of purchases, and of the background work on them.
public struct PurchaseStore: Sendable {
    /// The customers' histories.
    public let histories: any HistoryStore
    /// Scans of all customers.
    public let customers: any CustomerScan
    /// Bulk imports of histories.
    public let bulk: any HistoryBulkStore
    /// Receipts to verify with the App Store where there is no Server API.
    public let receipts: any ReceiptStore
    /// Refund requests, and the consents to answer them.
    public let refunds: any RefundStore
    /// Leases, which assign background jobs to replicas.
    public let leases: any LeaseStore
    /// Progress of the background jobs.
    public let progress: any ProgressStore
    /// The file or database that holds all of this.
    public let file: any StoredFile

    /// Groups stores that belong to the same file or database.
    public init(
        histories: any HistoryStore,
        customers: any CustomerScan,
        bulk: any HistoryBulkStore,
        receipts: any ReceiptStore,
        refunds: any RefundStore,
        leases: any LeaseStore,
        progress: any ProgressStore,
        file: any StoredFile
    ) {
        self.histories = histories
        self.customers = customers
        self.bulk = bulk
        self.receipts = receipts
        self.refunds = refunds
        self.leases = leases
        self.progress = progress
        self.file = file
    }
}
