public import EligibilityRules

/// What a store knows of the clock of its services.
public struct ClockRecord: Equatable, Sendable {
    /// The latest instant at which anything was signed, of what counts since the last repair; that repair if nothing was.
    public let latest: Instant?
    /// When a service that trusted its clock served last.
    public let seenAt: Instant?
    /// The time that an operator accepted last, or repaired the store at.
    public let acceptedAt: Instant?
    /// When the store was repaired last.
    public let repairedAt: Instant?

    /// Takes the values as they are.
    public init(latest: Instant? = nil, seenAt: Instant? = nil, acceptedAt: Instant? = nil, repairedAt: Instant? = nil) {
        self.latest = latest
        self.seenAt = seenAt
        self.acceptedAt = acceptedAt
        self.repairedAt = repairedAt
    }

    /// The latest time that is known to have been; nil for a new store.
    public var lastSignOfLife: Instant? { [latest, seenAt, acceptedAt].compactMap(\.self).max() }
}
