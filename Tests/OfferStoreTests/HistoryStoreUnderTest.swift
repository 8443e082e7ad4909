import OfferStore

/// Every implementation that the contracts of histories are run on.
enum HistoryStoreUnderTest: String, CaseIterable, Sendable {
    case sqlite, postgresql

    /// PostgreSQL where there is one to test with: scripts/swift-test starts it.
    static var allCases: [HistoryStoreUnderTest] { TestDatabase.isThere ? [.sqlite, .postgresql] : [.sqlite] }

    /// Whether a bulk intake finds its transactions only after a flush.
    var putsIndexOff: Bool { self != .postgresql }

    /// An empty store.
    func make() throws -> any StoreFixture {
        switch self {
        case .sqlite: try SQLiteStoreFixture()
        case .postgresql: try PostgreSQLStoreFixture()
        }
    }
}

/// A store with everything in it that goes with histories, and what only tests do to one.
protocol StoreFixture: Sendable {
    var histories: any HistoryStore { get }
    var bulk: any HistoryBulkStore { get }
    var customers: any CustomerScan { get }
    var receipts: any ReceiptStore { get }
    var refunds: any RefundStore { get }

    /// Closes the store and opens it anew, as a restart does; what is kept in memory beside it is gone.
    func reopened() throws -> Self

    /// Cuts what is stored of a subscription short.
    func damageRecord(originalTransactionID: String, partition: AppPartition) async throws
}
