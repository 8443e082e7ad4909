public import EligibilityRules

/// What a store knows of its services' clock.
public struct ClockRecord: Equatable, Sendable {
    /// The latest signing time since the last repair; the time of that repair if nothing was signed since.
    public let latest: Instant?
    /// When a service that trusted its clock last served.
    public let seenAt: Instant?
    /// The time that an operator last accepted, or at which the store was last repaired.
    public let acceptedAt: Instant?
    /// When the store was last repaired.
    public let repairedAt: Instant?

    /// Takes the values as they are.
    public init(latest: Instant? = nil, seenAt: Instant? = nil, acceptedAt: Instant? = nil, repairedAt: Instant? = nil) {
        self.latest = latest
        self.seenAt = seenAt
        self.acceptedAt = acceptedAt
        self.repairedAt = repairedAt
    }

    /// The latest time known to have passed; nil for a new store.
    public var lastSignOfLife: Instant? { [latest, seenAt, acceptedAt].compactMap(\.self).max() }
}
