/// The outcomes of the units whose windows were over at the end of a day (UTC).
///
/// They are shown in a chart and decide nothing.
public struct MaturityDay: Hashable, Sendable {
    /// The end of the day, or the instant of the counts if that comes first.
    public let until: Instant
    /// The outcomes, as they are known now, of all units whose windows were over by then; the control comes first.
    public let outcomes: [Conversions]
    /// What these units paid, the control first; nil for a variant without units, and unless the goal is revenue.
    let revenue: [RevenueMoments?]

    /// The outcomes as the verdict compares them.
    var goal: [GoalOutcomes] {
        outcomes.indices.map { GoalOutcomes(outcomes[$0], revenue[$0]) }
    }
}
