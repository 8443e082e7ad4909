/// What is stored about purchases, and about the work that follows from them.
public struct PurchaseStore: Sendable {
    /// The customers' histories.
    public let histories: any HistoryStore
    /// Goes through all customers.
    public let customers: any CustomerScan
    /// Takes them in by the million.
    public let bulk: any HistoryBulkStore
    /// What the App Store is asked with where there is no Server API.
    public let receipts: any ReceiptStore
    /// Who does what of the background work.
    public let leases: any LeaseStore
    /// How far that has come.
    public let progress: any ProgressStore
    /// What holds all of this.
    public let file: any StoredFile

    /// Takes the parts of one file.
    public init(
        histories: any HistoryStore,
        customers: any CustomerScan,
        bulk: any HistoryBulkStore,
        receipts: any ReceiptStore,
        leases: any LeaseStore,
        progress: any ProgressStore,
        file: any StoredFile
    ) {
        self.histories = histories
        self.customers = customers
        self.bulk = bulk
        self.receipts = receipts
        self.leases = leases
        self.progress = progress
        self.file = file
    }
}
