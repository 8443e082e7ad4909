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
