public import EligibilityRules

/// The replicas of a store, and the store's time, which decides whether a replica counts as alive.
public struct ReplicaRoll: Equatable, Sendable {
    /// A replica with its last heartbeat.
    public struct Entry: Equatable, Sendable {
        /// The replica as of its last heartbeat.
        public let replica: Replica
        /// The last heartbeat, by the store's clock.
        public let lastHeartbeatAt: Instant

        /// Stores the given values without checking them.
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

/// A process that serves a shared store, as it describes itself.
public struct Replica: Equatable, Sendable {
    /// A signing key that the process has loaded.
    public struct Key: Hashable, Sendable {
        /// Apple's key id.
        public let id: String
        /// SHA-256 of the public key, in hexadecimal.
        public let fingerprint: String

        /// Stores the given values without checking them.
        public init(id: String, fingerprint: String) {
            self.id = id
            self.fingerprint = fingerprint
        }
    }

    /// A new id after each start.
    public let id: String
    /// The host name and port.
    public let address: String
    /// The program's version.
    public let version: String
    /// When it started, by its own clock.
    public let startedAt: Instant
    /// A digest of all settings that replicas share.
    public var configurationDigest: String
    /// The loaded keys, in the order of ids.
    public var keys: [Key]
    /// How far its clock is ahead of the store's, in ms; nil before the first comparison.
    public var clockOffset: Int64?

    /// Stores the given values without checking them.
    public init(
        id: String,
        address: String,
        version: String,
        startedAt: Instant,
        configurationDigest: String,
        keys: [Key],
        clockOffset: Int64?
    ) {
        self.id = id
        self.address = address
        self.version = version
        self.startedAt = startedAt
        self.configurationDigest = configurationDigest
        self.keys = keys
        self.clockOffset = clockOffset
    }
}
