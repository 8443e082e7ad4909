/// The comparison of a variant with the control.
public struct VariantComparison: Sendable {
    /// The variant's rate minus the control's.
    public let value: Double
    /// The interval of the difference of rates, corrected for the number of variants. The verdict rests on it, unless the goal is
    /// revenue.
    ///
    /// It is from the confidence sequence or, with a fixed horizon, Newcombe's interval.
    public let interval: ConfidenceInterval
    /// Newcombe's 95 % interval, not corrected for the number of variants; valid if it is read once.
    public let newcombe: ConfidenceInterval
    /// The statistic of the z test with a pooled rate, not corrected for the number of variants; valid if it is read once.
    public let z: Double
    /// The two-sided p-value of the z test.
    public let zTestP: Double
    /// The p-value of the confidence sequence, which is always valid; not corrected for the number of variants.
    ///
    /// Nil for a fixed horizon.
    public let sequentialP: Double?
    /// The exact probability, with uniform priors, that the variant's true rate is above the control's.
    ///
    /// No verdict rests on it.
    public let chanceToBeatControl: Double
    /// The revenue per exposed unit minus the control's in each currency, with Welch's 95 % intervals; valid if read once.
    public let revenue: [RevenueEstimate]

    init?(_ comparison: PlannedComparison, _ variants: [VariantTally], outcomes: [GoalOutcomes], plan: ExperimentPlan) {
        let (control, treatment) = (outcomes[0].conversions, outcomes[comparison.variant].conversions)
        guard ExperimentPlan.isEnough(control), ExperimentPlan.isEnough(treatment),
            let difference = RateDifference(control: control, treatment: treatment),
            let rate = plan.rate(of: comparison, in: outcomes)
        else { return nil }
        (value, interval) = (rate.value, rate.interval)
        newcombe = difference.newcombeInterval()
        (z, zTestP) = difference.zTest
        sequentialP = plan.method == .sequential ? comparison.rate.pValue(difference) : nil
        chanceToBeatControl = difference.chanceToBeatControl
        revenue = variants[0].revenue.compactMap { base in
            variants[comparison.variant].revenue.first { $0.currency == base.currency }
                .flatMap { RevenueEstimate(control: base, treatment: $0) }
        }
    }
}
