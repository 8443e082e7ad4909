import OfferStore

/// Every implementation that the contract of redemptions is run on.
enum RedemptionStoreUnderTest: String, CaseIterable, Sendable {
    case sqlite, postgresql

    /// PostgreSQL where there is one to test with: scripts/swift-test starts it.
    static var allCases: [RedemptionStoreUnderTest] {
        TestDatabase.isThere ? [.sqlite, .postgresql] : [.sqlite]
    }

    /// An empty store.
    func make() throws -> any RedemptionFixture {
        switch self {
        case .sqlite: try SQLiteStoreFixture()
        case .postgresql: try PostgreSQLStoreFixture()
        }
    }
}

/// Histories beside a ledger whose signatures they redeem.
protocol RedemptionFixture: StoreFixture {
    var redemptions: any RedemptionStore { get }
    var ledger: any Ledger { get }
}
