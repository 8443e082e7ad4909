/// The outcomes that had matured by the end of a day (UTC), for a chart. They decide nothing.
public struct MaturityDay: Hashable, Sendable {
    /// The end of the day, or the instant of the counts if that comes first.
    public let until: Instant
    /// What is known today of all units whose windows were over by then; one entry per variant, the control first.
    public let outcomes: [Conversions]
}
