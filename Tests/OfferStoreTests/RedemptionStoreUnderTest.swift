import OfferStore

/// Every implementation that the contract of redemptions is run on.
enum RedemptionStoreUnderTest: String, CaseIterable, Sendable {
    case memory, sqlite

    /// An empty store.
    func make() throws -> any RedemptionsOnTrial {
        switch self {
        case .memory: MemoryStoreOnTrial()
        case .sqlite: try SQLiteStoreOnTrial()
        }
    }
}

/// Histories beside a ledger whose signatures they redeem.
protocol RedemptionsOnTrial: StoreOnTrial {
    var redemptions: any RedemptionStore { get }
    var ledger: any Ledger { get }
}
