import OfferStore

/// Every implementation that the contracts of histories and redemptions are run on.
enum HistoryStoreUnderTest: String, CaseIterable, Sendable {
    case memory, sqlite

    /// An empty store.
    func make() throws -> any StoreOnTrial {
        switch self {
        case .memory: MemoryStoreOnTrial()
        case .sqlite: try SQLiteStoreOnTrial()
        }
    }
}

/// A store with everything in it that goes with histories, and what only tests do to one.
protocol StoreOnTrial: Sendable {
    var histories: any HistoryStore { get }
    var bulk: any HistoryBulkStore { get }
    var customers: any CustomerScan { get }
    var receipts: any ReceiptStore { get }
    var redemptions: any RedemptionStore { get }
    var ledger: any Ledger { get }

    /// Closes the store and opens it anew, as a restart does; what is kept in memory beside it is gone.
    func reopened() throws -> any StoreOnTrial

    /// Cuts what is stored of a subscription short.
    func damageRecord(originalTransactionID: String, partition: AppPartition) async throws
}
