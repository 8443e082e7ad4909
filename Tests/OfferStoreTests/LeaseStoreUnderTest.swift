import EligibilityRules
import OfferStore
import OfferStorePostgreSQL
import OfferStoreSQL
import OfferStoreSQLite
import OfferStoreTesting

/// Every implementation that the contract of leases and progress is run on.
enum LeaseStoreUnderTest: String, CaseIterable, Sendable {
    case sqlite, postgresql

    /// PostgreSQL where there is one to test with.
    static var allCases: [LeaseStoreUnderTest] { TestDatabase.isThere ? [.sqlite, .postgresql] : [.sqlite] }

    /// An empty store.
    func make() throws -> LeaseFixture { try LeaseFixture(self) }
}

/// Leases and progress by a clock that is set by hand.
final class LeaseFixture: Sendable {
    private let elapsed: Elapsed
    private let folder: TemporaryFolder
    private let address: String?
    let leases: any LeaseStore
    let progress: any ProgressStore
    private let implementation: LeaseStoreUnderTest

    fileprivate convenience init(_ implementation: LeaseStoreUnderTest) throws {
        try self.init(
            implementation, TemporaryFolder(), implementation == .postgresql ? TestDatabase.newSchema() : nil, Elapsed())
    }

    private init(
        _ implementation: LeaseStoreUnderTest,
        _ folder: TemporaryFolder,
        _ address: String?,
        _ elapsed: Elapsed
    ) throws {
        self.implementation = implementation
        self.folder = folder
        self.address = address
        self.elapsed = elapsed
        let store: any LeaseStore & ProgressStore =
            switch implementation {
            case .sqlite:
                SQLLeaseStore(try SQLiteHistoryFile(path: folder.path("histories.sqlite")).store, now: elapsed.now)
            case .postgresql: SQLLeaseStore(try PostgreSQLStore(address!, readers: 1), now: elapsed.now)
            }
        (leases, progress) = (store, store)
    }

    /// The store after a restart.
    func reopened() throws -> LeaseFixture { try LeaseFixture(implementation, folder, address, elapsed) }

    /// Takes a lease of a minute at a time, in ms since the instant of the tests.
    func acquire(_ name: String = "poll", by holder: String, at milliseconds: Int64) async throws -> Bool {
        elapsed.set(milliseconds)
        return try await leases.acquire(name, holder: holder, milliseconds: 60_000)
    }
}
