package import OfferStore
import Synchronization

/// Knows whether a database has lately kept a commit of this process.
///
/// A database server that was replaced, is cut off from its standbys, or was frozen may still answer queries, but from old data.
/// The service therefore checks here before it decides about a customer, which costs no round trip.
package final class StoreStanding: Sendable {
    /// The maximum age of the last commit, in ms.
    ///
    /// It is longer than a single commit may take.
    private static let patience: Int64 = 15_000

    private let keptAt: Atomic<Int64>
    private let system: SystemEnvironment

    /// At first, the database counts as having kept a commit just now.
    package init(system: SystemEnvironment) {
        keptAt = Atomic(system.uptime())
        self.system = system
    }

    /// Commits a submission without content, and remembers when that succeeded.
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
