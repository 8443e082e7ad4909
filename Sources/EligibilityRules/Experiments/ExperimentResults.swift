/// An experiment's figures and verdict at the instant of its counts. They are computed once and then only printed.
public struct ExperimentResults: Sendable {
    /// What has been shown.
    public let verdict: ExperimentVerdict
    /// The method, in statistical terms.
    public let method: String
    /// One entry per variant, the control first.
    public let variants: [VariantResults]
    /// Whether the units are split as planned.
    public let sampleRatio: SampleRatioResults
    /// Days until a verdict is likely; nil if there is one, if the split is off, and if it cannot be estimated.
    public let daysNeeded: Int?
    /// Units that saw two variants. They are set aside.
    public let unitsInTwoVariants: Int
    /// Hints only: segments of the units, corrected for their number.
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
        let conclusion = plan.conclusion(counts)
        verdict = VerdictWording(plan: plan, variants: variants, outcomes: outcomes, sampleRatio: sampleRatio).verdict(conclusion)
        method = plan.methodText
        self.sampleRatio = sampleRatio
        daysNeeded = experiment.daysNeeded(after: conclusion)
        unitsInTwoVariants = experiment.unitsInTwoVariants
        segments = ExperimentSegments(experiment: experiment, isSplitOff: sampleRatio.isOff).results
    }
}

extension Experiment {
    /// Returns nil also for an experiment that has run for longer than it should have needed.
    fileprivate func daysNeeded(after conclusion: ExperimentConclusion) -> Int? {
        switch conclusion {
        case .winner, .noDifference, .nothingToCompare, .sampleRatioMismatch: return nil
        case .undecided, .beforeHorizon, .tooLittleData: break
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
    /// Wilson's 95 % interval of the rate, over the units whose window is over; for one look.
    public let conversion: ConfidenceInterval
    /// Revenue per exposed unit, by currency, with Student's 95 % intervals; for one look.
    public let revenue: [RevenueEstimate]
    /// The comparison with the control; nil for the control itself, with too little data, and where the split is off.
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
    /// Whether there is a sample ratio mismatch. Then there is no verdict, and nothing is compared.
    public let isOff: Bool
    /// An always-valid p-value; at the look of a fixed horizon, that of chi-square.
    /// `isOff` does not depend on this alone: both checks must pass.
    public let p: Double
    /// The units of each variant if the split were exact.
    public let expected: [Double]
    /// The units of each variant.
    public let observed: [Int]

    init(_ plan: ExperimentPlan, _ counts: ExperimentCounts) {
        let horizon = plan.horizon(of: counts)
        isOff = plan.isSplitOff(counts)
        p = horizon.map { plan.sampleRatio.chiSquared($0.map(\.units)).p } ?? plan.sampleRatio.sequentialP(counts.exposed)
        let all = counts.exposed.reduce(0.0) { $0 + Double($1) }
        expected = plan.sampleRatio.shares.map { $0 * all }
        observed = counts.exposed
    }
}
