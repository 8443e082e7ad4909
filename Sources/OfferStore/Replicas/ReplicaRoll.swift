public import EligibilityRules

/// The replicas of a store, by the store's clock.
public struct ReplicaRoll: Equatable, Sendable {
    /// A replica with its last heartbeat.
    public struct Entry: Equatable, Sendable {
        /// The replica as of its last heartbeat.
        public let replica: Replica
        /// The last heartbeat, by the store's clock.
        public let lastHeartbeatAt: Instant

        /// Takes the values as they are.
        public init(replica: Replica, lastHeartbeatAt: Instant) {
            self.replica = replica
            self.lastHeartbeatAt = lastHeartbeatAt
        }
    }

    /// Time without a heartbeat after which a replica counts as dead, in ms.
    public static let lifetime: Int64 = 10_000
    /// How long a dead replica is remembered, in ms.
    public static let memory: Int64 = 86_400_000

    /// The store's time.
    public let now: Instant
    /// The replicas, by address, then by start.
    public let entries: [Entry]

    /// Creates a roll, and sorts the entries.
    public init(now: Instant, entries: [Entry]) {
        self.now = now
        self.entries = entries.sorted {
            ($0.replica.address, $0.replica.startedAt, $0.replica.id) < ($1.replica.address, $1.replica.startedAt, $1.replica.id)
        }
    }

    /// The live replicas.
    public var living: [Replica] { entries.filter(isAlive).map(\.replica) }

    /// Whether a replica is alive.
    public func isAlive(_ entry: Entry) -> Bool { now < entry.lastHeartbeatAt.advanced(by: Self.lifetime) }
}
