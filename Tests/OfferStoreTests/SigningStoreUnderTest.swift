import OfferStore
import OfferStoreSQLite
import OfferStoreTesting

/// Every implementation that the contracts about signing are run on.
enum SigningStoreUnderTest: String, CaseIterable, Sendable {
    case memory, sqlite

    /// An empty store and what keeps it alive.
    func make() throws -> (store: SigningStore, folder: TemporaryFolder) {
        let folder = try TemporaryFolder()
        switch self {
        case .memory: return (.memory(), folder)
        case .sqlite: return (try .sqlite(path: folder.path("store.sqlite"), audit: .testing) { _ in }, folder)
        }
    }

    /// An empty ledger and what keeps it alive.
    func makeLedger() throws -> (ledger: any Ledger, folder: TemporaryFolder) {
        let (store, folder) = try make()
        return (store.ledger, folder)
    }
}
