/// The registry of a store's replicas.
public protocol ReplicaStore: Sendable {
    /// Records a heartbeat and the replica's present description. Removes replicas that were silent for long.
    func beat(_ replica: Replica) async throws(StoreError) -> ReplicaRoll

    /// Removes a replica that shuts down.
    func leave(_ id: String) async throws(StoreError)

    /// All known replicas.
    func roll() async throws(StoreError) -> ReplicaRoll
}
