package import OfferStore
import Synchronization

/// The only process of a store that is a file.
package final class SoleReplica: ReplicaStore {
    private let system: SystemEnvironment
    private let entry = Mutex<ReplicaRoll.Entry?>(nil)

    /// Knows nothing before the first heartbeat.
    package init(system: SystemEnvironment) { self.system = system }

    package func beat(_ replica: Replica) async throws(StoreError) -> ReplicaRoll {
        entry.withLock { $0 = ReplicaRoll.Entry(replica: replica, lastHeartbeatAt: system.now()) }
        return try await roll()
    }

    package func leave(_: String) async throws(StoreError) { entry.withLock { $0 = nil } }

    package func roll() async throws(StoreError) -> ReplicaRoll {
        ReplicaRoll(now: system.now(), entries: entry.withLock { $0.map { [$0] } ?? [] })
    }
}
