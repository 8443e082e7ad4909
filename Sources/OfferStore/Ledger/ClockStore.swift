public import EligibilityRules

/// Stores what a process needs to detect a wrong clock after a restart.
public protocol ClockStore: Sendable {
    /// The stored state of the clock.
    func clockRecord() async throws(StoreError) -> ClockRecord

    /// Stores an operator's statement that this is the current time.
    func accept(_ instant: Instant) async throws(StoreError)

    /// Disregards the times of all earlier signatures, and stores this as the current time. Rows and nonces do not change.
    ///
    /// Returns how many of the latest requests, at most 5,000, were signed at a later time.
    func repair(at instant: Instant) async throws(StoreError) -> Int
}

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

    /// Stores the given values without checking them.
    public init(latest: Instant? = nil, seenAt: Instant? = nil, acceptedAt: Instant? = nil, repairedAt: Instant? = nil) {
        self.latest = latest
        self.seenAt = seenAt
        self.acceptedAt = acceptedAt
        self.repairedAt = repairedAt
    }

    /// The latest time known to have passed; nil for a new store.
    public var lastSignOfLife: Instant? { [latest, seenAt, acceptedAt].compactMap(\.self).max() }
}
