/// Lets replicas know of each other.
public protocol ReplicaStore: Sendable {
    /// Notes that a replica lives, with what it says of itself now; forgets those that were silent for long.
    func beat(_ replica: Replica) async throws(StoreError) -> ReplicaRoll

    /// Forgets a replica that ends.
    func leave(_ id: String) async throws(StoreError)

    /// All that have been heard of.
    func roll() async throws(StoreError) -> ReplicaRoll
}
