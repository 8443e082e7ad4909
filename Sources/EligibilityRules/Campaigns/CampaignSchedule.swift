/// When a campaign runs.
public struct CampaignSchedule: Hashable, Sendable {
    /// The first instant; nil means from publication on.
    public let from: Instant?
    /// The end, exclusive; nil means until an operator ends it.
    public let until: Instant?

    /// Takes the values as they are.
    public init(from: Instant? = nil, until: Instant? = nil) {
        self.from = from
        self.until = until
    }

    /// Whether it has not begun yet.
    public func isAhead(at now: Instant) -> Bool { from.map { now < $0 } ?? false }

    /// Whether it is over.
    public func isOver(at now: Instant) -> Bool { until.map { now >= $0 } ?? false }

    /// Whether the two schedules share an instant.
    public func overlaps(_ other: CampaignSchedule) -> Bool {
        let start = max(from?.milliseconds ?? .min, other.from?.milliseconds ?? .min)
        return start < min(until?.milliseconds ?? .max, other.until?.milliseconds ?? .max)
    }
}
