public import EligibilityRules

/// A process that serves a store which others serve too, in its own words.
public struct Replica: Equatable, Sendable {
    /// A key that it has loaded.
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

    /// Another one after each start.
    public let id: String
    /// The host's name and the port.
    public let address: String
    /// The program's.
    public let version: String
    /// By its own clock.
    public let startedAt: Instant
    /// Of all settings that replicas have in common.
    public let configurationDigest: String
    /// In the order of their ids.
    public var keys: [Key]
    /// How far its clock is ahead of the store's, in ms; nil: not compared yet.
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
