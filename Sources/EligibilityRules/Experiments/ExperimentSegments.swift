/// Compares the variants within each segment of an experiment's units, by the same method as over all units.
struct ExperimentSegments {
    let experiment: Experiment
    let isSplitOff: Bool

    /// The results of each segment, in the order of the experiment's segments.
    var results: [SegmentResults] {
        let raw = experiment.segments.map { segment in experiment.plan.comparisons.map { comparison($0, in: segment) } }
        let adjusted = Holm.adjusted(raw.joined().compactMap { $0?.p }, of: comparisons)
        var rest = adjusted[...]
        return zip(experiment.segments, raw).map { segment, found in
            var places = [SegmentComparison?](repeating: nil, count: segment.exposed.count)
            for (planned, one) in zip(experiment.plan.comparisons, found) {
                guard let one else { continue }
                places[planned.variant] = SegmentComparison(value: one.value, interval: one.interval, p: rest.removeFirst())
            }
            let ratio = experiment.plan.sampleRatio.sequentialP(segment.exposed)
            return SegmentResults(
                tally: segment, conversion: segment.outcomes.map { $0.wilsonInterval() }, comparisons: places,
                sampleRatioP: min(1, ratio * Double(experiment.segments.count)))
        }
    }

    // The number of all comparisons. Those with too little data are included, because which ones these are depends on the data.
    private var comparisons: Int { experiment.segments.count * experiment.plan.comparisons.count }

    private func comparison(_ planned: PlannedComparison, in segment: SegmentTally) -> SegmentComparison? {
        let (control, treatment) = (segment.outcomes[0], segment.outcomes[planned.variant])
        guard !isSplitOff, ExperimentPlan.isEnough(control), ExperimentPlan.isEnough(treatment),
            let difference = RateDifference(control: control, treatment: treatment)
        else { return nil }
        let alpha = ExperimentPlan.alpha / Double(comparisons)
        switch experiment.plan.method {
        case .sequential:
            let sequence = ConfidenceSequence(alpha: alpha, rhoSquared: planned.rate.rhoSquared)
            return SegmentComparison(
                value: difference.value, interval: sequence.interval(difference), p: sequence.pValue(difference))
        case .fixedHorizon:
            return SegmentComparison(
                value: difference.value, interval: difference.newcombeInterval(alpha: alpha), p: difference.zTest.p)
        }
    }
}

/// The comparison of a variant with the control in one segment, corrected for the number of such comparisons.
public struct SegmentComparison: Sendable {
    /// The variant's rate minus the control's.
    public let value: Double
    /// The confidence interval of the difference, corrected by Bonferroni's method.
    ///
    /// With 95 % confidence, none of the intervals of all segments misses its true value.
    public let interval: ConfidenceInterval
    /// The p-value, corrected by Holm's method.
    ///
    /// In a sequential test it is always valid, otherwise if it is read once.
    public let p: Double
}

/// Sture Holm's correction of p-values for their number: "A simple sequentially rejective multiple test procedure" (1979).
enum Holm {
    /// Returns the corrected p-values, in the order of `values`.
    ///
    /// - Parameter count: the number of all comparisons, including those without a p-value.
    static func adjusted(_ values: [Double], of count: Int) -> [Double] {
        var (result, most) = (values, 0.0)
        for (rank, index) in values.indices.sorted(by: { values[$0] < values[$1] }).enumerated() {
            most = max(most, min(1, values[index] * Double(count - rank)))
            result[index] = most
        }
        return result
    }
}
