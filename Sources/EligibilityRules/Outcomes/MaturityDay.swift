/// What had matured by the end of a day (UTC), for a chart: nothing is decided by it.
public struct MaturityDay: Hashable, Sendable {
    /// When the day was over, or the instant of the counts if that came first.
    public let until: Instant
    /// Of all units whose windows were over by then, what is known today; a place for each variant, the control first.
    public let outcomes: [Conversions]
}
