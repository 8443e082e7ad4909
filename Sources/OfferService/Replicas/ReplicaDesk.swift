package import OfferStore
import Synchronization

/// Lists the processes that serve the store.
package struct ReplicaDesk: Sendable {
    private let store: any ReplicaStore

    package init(store: any ReplicaStore) { self.store = store }

    /// Every replica that is alive, or died less than a day ago.
    package func comparisons() async throws(StoreError) -> [ReplicaComparison] { ReplicaComparison.all(try await store.roll()) }
}

/// The number of replicas that share a rate.
///
/// Each replica counts only its own requests. It needs this number in order to keep to its share of the rate.
package final class ReplicaCount: Sendable {
    private let count: Atomic<Int64>

    /// - Parameter value: the number until more replicas are known.
    package init(_ value: Int64 = 1) { count = Atomic(value) }

    package var value: Int64 { count.load(ordering: .relaxed) }

    func set(_ value: Int) { count.store(max(1, Int64(value)), ordering: .relaxed) }
}

/// The roll of replicas for a store in SQLite files. It has this process alone.
package final class SoleReplica: ReplicaStore {
    private let system: SystemEnvironment
    private let entry = Mutex<ReplicaRoll.Entry?>(nil)

    /// The roll is empty before the first heartbeat.
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
