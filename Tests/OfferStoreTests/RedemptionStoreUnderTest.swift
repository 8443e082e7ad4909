import OfferStore

/// Every implementation that the contract of redemptions is run on.
enum RedemptionStoreUnderTest: String, CaseIterable, Sendable {
    case memory, sqlite, postgresql

    /// PostgreSQL where there is one to test with: scripts/swift-test starts it.
    static var allCases: [RedemptionStoreUnderTest] {
        TestDatabase.isThere ? [.memory, .sqlite, .postgresql] : [.memory, .sqlite]
    }

    /// An empty store.
    func make() throws -> any RedemptionsOnTrial {
        switch self {
        case .memory: MemoryStoreOnTrial()
        case .sqlite: try SQLiteStoreOnTrial()
        case .postgresql: try PostgreSQLStoreOnTrial()
        }
    }
}

/// Histories beside a ledger whose signatures they redeem.
protocol RedemptionsOnTrial: StoreOnTrial {
    var redemptions: any RedemptionStore { get }
    var ledger: any Ledger { get }
}
