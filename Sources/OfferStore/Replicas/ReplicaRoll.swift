public import EligibilityRules

/// The replicas of a store, by its clock.
public struct ReplicaRoll: Equatable, Sendable {
    /// One of them.
    public struct Entry: Equatable, Sendable {
        /// As it was at its last heartbeat.
        public let replica: Replica
        /// By the store's clock.
        public let lastHeartbeatAt: Instant

        /// Takes the values as they are.
        public init(replica: Replica, lastHeartbeatAt: Instant) {
            self.replica = replica
            self.lastHeartbeatAt = lastHeartbeatAt
        }
    }

    /// Without a heartbeat for so long, in ms, a replica counts as dead.
    public static let lifetime: Int64 = 10_000
    /// For so long, in ms, a dead one is remembered.
    public static let memory: Int64 = 86_400_000

    /// The store's time.
    public let now: Instant
    /// By address, then by start.
    public let entries: [Entry]

    /// Puts the entries in order.
    public init(now: Instant, entries: [Entry]) {
        self.now = now
        self.entries = entries.sorted {
            ($0.replica.address, $0.replica.startedAt, $0.replica.id) < ($1.replica.address, $1.replica.startedAt, $1.replica.id)
        }
    }

    /// Those that live.
    public var living: [Replica] { entries.filter(isAlive).map(\.replica) }

    /// Whether one of them lives.
    public func isAlive(_ entry: Entry) -> Bool { now < entry.lastHeartbeatAt.advanced(by: Self.lifetime) }
}
