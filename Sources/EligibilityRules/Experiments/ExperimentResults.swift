/// An experiment's figures and verdict at the instant of its counts.
///
/// They are computed once and then only printed.
public struct ExperimentResults: Sendable {
    /// What the experiment has shown.
    public let verdict: ExperimentVerdict
    /// The method, in statistical terms.
    public let method: String
    /// One entry per variant, the control first.
    public let variants: [VariantResults]
    /// The comparisons of all variants with each other; empty if the units are not split as planned.
    public let pairs: [VariantPair]
    /// The currency of the pairs' revenue (ISO 4217); nil if it is not known in one currency.
    public let currency: String?
    /// Whether the units are split as planned.
    public let sampleRatio: SampleRatioResults
    /// The number of days until a verdict is likely.
    ///
    /// Nil if there is a verdict, if the units are not split as planned, and if the days cannot be estimated.
    public let daysNeeded: Int?
    /// The number of units that saw two variants and are therefore in no other count.
    public let unitsInTwoVariants: Int
    /// The results of each segment of the units, corrected for the number of segments.
    ///
    /// They are hints, never a verdict.
    public let segments: [SegmentResults]

    /// Computes the figures and the verdict.
    public init(_ experiment: Experiment) {
        let (plan, counts) = (experiment.plan, experiment.counts)
        let sampleRatio = SampleRatioResults(plan, counts)
        let outcomes = plan.horizon(of: counts) ?? counts.outcomes
        let compared = plan.comparisons.compactMap { planned in
            sampleRatio.isOff
                ? nil
                : VariantComparison(planned, experiment.variants, outcomes: outcomes, plan: plan).map { (planned.variant, $0) }
        }
        let comparisons = Dictionary(uniqueKeysWithValues: compared)
        variants = experiment.variants.indices.map { VariantResults(experiment.variants[$0], comparison: comparisons[$0]) }
        currency = outcomes.first?.revenue?.currency
        pairs = sampleRatio.isOff ? [] : (plan.comparisons + plan.rivals).map { VariantPair($0, outcomes, plan: plan) }
        let conclusion = plan.conclusion(counts)
        verdict = VerdictWording(
            plan: plan, variants: variants, outcomes: outcomes, sampleRatio: sampleRatio,
            money: MoneyWording(
                pairs: pairs, money: outcomes.compactMap(\.revenue), names: variants.map(\.tally.label), measure: plan.measure)
        ).verdict(conclusion)
        method = plan.methodText
        self.sampleRatio = sampleRatio
        daysNeeded = experiment.daysNeeded(after: conclusion)
        unitsInTwoVariants = experiment.unitsInTwoVariants
        segments = ExperimentSegments(experiment: experiment, isSplitOff: sampleRatio.isOff).results
    }
}

extension Experiment {
    /// Returns the number of days until a verdict is likely.
    ///
    /// The result is nil also for an experiment that already has the number of units that it should need.
    fileprivate func daysNeeded(after conclusion: ExperimentConclusion) -> Int? {
        switch conclusion {
        case .winner, .noDifference, .nothingToCompare, .sampleRatioMismatch: return nil
        case .undecided, .beforeHorizon, .tooLittleData, .unknownMoney: break
        }
        let matured = variants.reduce(0) { $0 + $1.outcomes.units }
        guard let needed = plan.unitsNeeded, let pace else { return nil }
        let days = pace.days(until: needed, exposed: variants.reduce(0) { $0 + $1.exposed }, matured: matured)
        return days == 0 ? nil : days
    }
}

/// The results of one variant.
public struct VariantResults: Sendable {
    /// The counts.
    public let tally: VariantTally
    /// Wilson's 95 % interval of the rate, over the units whose window is over; valid if it is read once.
    public let conversion: ConfidenceInterval
    /// The revenue per exposed unit in each currency, with Student's 95 % intervals; valid if they are read once.
    public let revenue: [RevenueEstimate]
    /// The comparison with the control.
    ///
    /// Nil for the control itself, if there is too little data, and if the units are not split as planned.
    public let comparison: VariantComparison?

    init(_ tally: VariantTally, comparison: VariantComparison?) {
        self.tally = tally
        conversion = tally.outcomes.wilsonInterval()
        revenue = tally.revenue.compactMap { RevenueEstimate($0) }
        self.comparison = comparison
    }
}

/// The result of the sample ratio check.
public struct SampleRatioResults: Sendable {
    /// Whether there is a sample ratio mismatch, so that there is no verdict and nothing is compared.
    public let isOff: Bool
    /// The p-value of the e-value, which is always valid; at a fixed horizon, that of the chi-square test.
    ///
    /// At a fixed horizon `isOff` does not follow from this alone, because the e-value can also show a mismatch.
    public let p: Double
    /// How many units each variant would have if they were split exactly as planned.
    public let expected: [Double]
    /// How many units each variant has.
    public let observed: [Int]

    init(_ plan: ExperimentPlan, _ counts: ExperimentCounts) {
        let horizon = plan.horizon(of: counts)
        isOff = plan.isSplitOff(counts)
        p =
            horizon.map { plan.sampleRatio.chiSquared($0.map(\.conversions.units)).p }
            ?? plan.sampleRatio.sequentialP(counts.exposed)
        let all = counts.exposed.reduce(0.0) { $0 + Double($1) }
        expected = plan.sampleRatio.shares.map { $0 * all }
        observed = counts.exposed
    }
}
