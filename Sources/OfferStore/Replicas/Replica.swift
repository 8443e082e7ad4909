public import EligibilityRules

/// A process that serves a shared store, as it describes itself.
public struct Replica: Equatable, Sendable {
    /// A signing key that the process has loaded.
    public struct Key: Hashable, Sendable {
        /// Apple's key id.
        public let id: String
        /// SHA-256 of the public key, in hexadecimal.
        public let fingerprint: String

        /// Takes the values as they are.
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
    public let configurationDigest: String
    /// The loaded keys, in the order of ids.
    public var keys: [Key]
    /// How far its clock is ahead of the store's, in ms; nil before the first comparison.
    public var clockOffset: Int64?

    /// Takes the values as they are.
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
