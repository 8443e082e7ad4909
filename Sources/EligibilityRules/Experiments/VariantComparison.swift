/// The comparison of a variant with the control.
public struct VariantComparison: Sendable {
    /// The variant's rate minus the control's.
    public let value: Double
    /// The interval that the verdict rests on: the confidence sequence, or Newcombe's interval at a fixed horizon.
    /// It is corrected for the number of variants.
    public let interval: ConfidenceInterval
    /// Newcombe's 95 % interval for one look, not corrected.
    public let newcombe: ConfidenceInterval
    /// The z test with a pooled share, for one look, not corrected.
    public let z: Double
    /// The two-sided p-value of the z test.
    public let zTestP: Double
    /// An always-valid p-value, not corrected; nil for a fixed horizon.
    public let sequentialP: Double?
    /// The probability that the variant's true rate is above the control's: exact, with uniform priors. No verdict rests on it.
    public let chanceToBeatControl: Double
    /// Revenue per exposed unit minus the control's, by currency, with Welch's 95 % intervals for one look.
    public let revenue: [RevenueEstimate]

    init?(_ comparison: PlannedComparison, _ variants: [VariantTally], outcomes: [Conversions], plan: ExperimentPlan) {
        let (control, treatment) = (outcomes[0], outcomes[comparison.variant])
        guard ExperimentPlan.isEnough(control), ExperimentPlan.isEnough(treatment),
            let difference = RateDifference(control: control, treatment: treatment),
            let interval = plan.interval(of: comparison, in: outcomes)
        else { return nil }
        value = difference.value
        self.interval = interval
        newcombe = difference.newcombeInterval()
        (z, zTestP) = difference.zTest
        sequentialP = plan.method == .sequential ? comparison.sequence.pValue(difference) : nil
        chanceToBeatControl = difference.chanceToBeatControl
        revenue = variants[0].revenue.compactMap { base in
            variants[comparison.variant].revenue.first { $0.currency == base.currency }
                .flatMap { RevenueEstimate(control: base, treatment: $0) }
        }
    }
}
