/// The stores by which the processes of one store know of each other.
public struct ProcessStores: Sendable {
    /// The state of the clock.
    public let clock: any ClockStore
    /// Changes of data that processes hold in memory.
    public let changes: any ChangeFeed
    /// The processes that serve the store; nil where only one can.
    public let replicas: (any ReplicaStore)?

    /// Takes the parts of one file.
    public init(clock: any ClockStore, changes: any ChangeFeed, replicas: (any ReplicaStore)? = nil) {
        self.clock = clock
        self.changes = changes
        self.replicas = replicas
    }
}
