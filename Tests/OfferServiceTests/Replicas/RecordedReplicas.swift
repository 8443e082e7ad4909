import EligibilityRules
import OfferStore
import Synchronization

/// Replicas by a clock that a test sets. Only PostgreSQL has a store of them.
final class RecordedReplicas: ReplicaStore {
    private let entries = Mutex<[ReplicaRoll.Entry]>([])
    private let now: @Sendable () -> Instant

    init(now: @escaping @Sendable () -> Instant) { self.now = now }

    func beat(_ replica: Replica) async throws(StoreError) -> ReplicaRoll {
        let now = now()
        entries.withLock { entries in
            entries.removeAll { $0.replica.id == replica.id }
            entries.append(ReplicaRoll.Entry(replica: replica, lastHeartbeatAt: now))
        }
        return try await roll()
    }

    func leave(_ id: String) async throws(StoreError) { entries.withLock { $0.removeAll { $0.replica.id == id } } }

    func roll() async throws(StoreError) -> ReplicaRoll { ReplicaRoll(now: now(), entries: entries.withLock { $0 }) }
}
