import OfferStore
import OfferStorePostgreSQL
import OfferStoreSQLite
import OfferStoreTesting

/// Every implementation that the contracts about signing are run on.
enum SigningStoreUnderTest: String, CaseIterable, Sendable {
    case sqlite, postgresql

    /// PostgreSQL where there is one to test with: scripts/swift-test starts it.
    static var allCases: [SigningStoreUnderTest] { TestDatabase.isThere ? [.sqlite, .postgresql] : [.sqlite] }

    /// An empty store and what keeps it alive.
    func make() throws -> (store: SigningStore, folder: TemporaryFolder) {
        let folder = try TemporaryFolder()
        // Small slices, so that every search of a contract goes over several.
        switch self {
        case .sqlite: return (try .sqlite(path: folder.path("store.sqlite"), audit: .testing, rowsPerSlice: 2) { _ in }, folder)
        case .postgresql: return (try .postgresql(TestDatabase.newSchema(), audit: .testing, rowsPerSlice: 2), folder)
        }
    }

    /// An empty ledger and what keeps it alive.
    func makeLedger() throws -> (ledger: any Ledger, folder: TemporaryFolder) {
        let (store, folder) = try make()
        return (store.ledger, folder)
    }
}
