package import EligibilityRules
package import OfferStore
import Synchronization

/// Replicas that are forgotten with the process.
package final class MemoryReplicaStore: ReplicaStore {
    private let entries = Mutex<[ReplicaRoll.Entry]>([])
    private let now: @Sendable () -> Instant

    /// An empty one.
    package init(now: @escaping @Sendable () -> Instant) { self.now = now }

    package func beat(_ replica: Replica) async throws(StoreError) -> ReplicaRoll {
        let now = now()
        entries.withLock { entries in
            entries.removeAll { entry in
                let silence = now.milliseconds - entry.lastHeartbeatAt.milliseconds
                return entry.replica.id == replica.id || silence >= ReplicaRoll.memory
                    || (entry.replica.address == replica.address && silence >= ReplicaRoll.lifetime)
            }
            entries.append(ReplicaRoll.Entry(replica: replica, lastHeartbeatAt: now))
        }
        return try await roll()
    }

    package func leave(_ id: String) async throws(StoreError) { entries.withLock { $0.removeAll { $0.replica.id == id } } }

    package func roll() async throws(StoreError) -> ReplicaRoll {
        ReplicaRoll(now: now(), entries: entries.withLock { $0 })
    }
}
