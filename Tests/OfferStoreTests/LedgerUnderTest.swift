import OfferStore
import OfferStoreSQLite
import OfferStoreTesting

/// Every implementation that the contract is run on.
enum LedgerUnderTest: String, CaseIterable, Sendable {
    case memory, sqlite

    /// An empty ledger and what keeps it alive.
    func make() throws -> (ledger: any Ledger, folder: TemporaryFolder) {
        let folder = try TemporaryFolder()
        switch self {
        case .memory: return (MemoryLedger(), folder)
        case .sqlite: return (SQLiteLedger(store: try SQLiteStore(path: folder.path("store.sqlite"))), folder)
        }
    }
}
