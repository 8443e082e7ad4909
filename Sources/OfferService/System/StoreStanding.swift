package import OfferStore
import Synchronization

/// Whether a database has lately kept a commit of this process.
///
/// A database server that was replaced, is cut off from its standbys, or was frozen still answers queries, from data that may be
/// old. Before a decision about a customer, the service therefore checks here, which costs no round trip.
package final class StoreStanding: Sendable {
    /// How old the last commit may be, in ms.
    ///
    /// It is longer than a commit may take.
    private static let patience: Int64 = 15_000

    private let keptAt: Atomic<Int64>
    private let system: SystemEnvironment

    /// Counts the database as having just kept a commit.
    package init(system: SystemEnvironment) {
        keptAt = Atomic(system.uptime())
        self.system = system
    }

    /// Commits a submission without content, and notes that it was kept.
    func probe(_ ledger: any Ledger) async throws(StoreError) {
        try await ledger.probe()
        keptAt.store(system.uptime(), ordering: .relaxed)
    }

    /// Throws if the last commit is too long ago.
    package func check() throws(StoreError) {
        let age = system.uptime() - keptAt.load(ordering: .relaxed)
        guard age > Self.patience else { return }
        throw StoreError(
            .unavailable,
            "the database has kept no commit of this replica for \(age / 1000) s: it may have been replaced by another, or lacks its "
                + "standby, and what it says may be old")
    }
}
