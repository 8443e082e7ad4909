import Foundation
import OfferStore

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

/// A folder for one test, removed with it.
final class TemporaryFolder: Sendable {
    private let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "offersigner-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appending(path: name).path }
}
