/// The comparison of two variants by all that decides: how often their units reach the goal, and what they pay.
public struct VariantPair: Sendable {
    /// The position in the plan of the variant that the other one is compared with. The control's is 0.
    public let base: Int
    /// The position in the plan of the other variant, which is the higher one.
    public let other: Int
    /// The other's rate minus the base's; nil if there is too little data.
    public let rate: PairDifference?
    /// What a unit of the other pays minus what a unit of the base pays, within the goal's window.
    ///
    /// It is in `ExperimentResults.currency`; nil if there is too little data, and if not all payments are known in one currency.
    public let revenue: PairDifference?

    init(_ planned: PlannedComparison, _ outcomes: [GoalOutcomes], plan: ExperimentPlan) {
        (base, other) = (planned.base, planned.variant)
        let isEnough = [base, other].allSatisfy { ExperimentPlan.isEnough(outcomes[$0].conversions) }
        rate = isEnough ? plan.rate(of: planned, in: outcomes) : nil
        revenue = isEnough ? plan.revenue(of: planned, in: outcomes) : nil
    }

    /// The difference that a measure compares.
    public func difference(of measure: ExperimentMeasure) -> PairDifference? { measure == .conversion ? rate : revenue }

    /// The pair as a variant of it sees the rival: what the rival does more than the variant; nil if the variant is in another pair.
    func gain(over variant: Int) -> (rival: Int, rate: PairDifference?, revenue: PairDifference?)? {
        if variant == base { return (other, rate, revenue) }
        if variant == other { return (base, rate?.negated, revenue?.negated) }
        return nil
    }
}

/// A difference of two variants, with an interval that is always valid.
///
/// With a fixed horizon, the interval of a rate is valid at the horizon.
public struct PairDifference: Hashable, Sendable {
    /// The difference so far.
    public let value: Double
    /// The interval, corrected for the number of pairs.
    public let interval: ConfidenceInterval

    var negated: PairDifference {
        PairDifference(value: -value, interval: ConfidenceInterval(low: -interval.high, high: -interval.low))
    }
}
