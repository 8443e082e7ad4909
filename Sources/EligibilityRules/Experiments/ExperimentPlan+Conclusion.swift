extension ExperimentPlan {
    /// Returns what these counts show.
    func conclusion(_ counts: ExperimentCounts) -> ExperimentConclusion {
        if isSplitOff(counts) { return .sampleRatioMismatch }
        guard !comparisons.isEmpty else { return .nothingToCompare }
        let outcomes: [Conversions]
        switch method {
        case .sequential: outcomes = counts.outcomes
        case .fixedHorizon:
            guard let atHorizon = horizon(of: counts) else {
                return scarce(in: counts.outcomes).map(ExperimentConclusion.tooLittleData) ?? .beforeHorizon
            }
            outcomes = atHorizon
        }
        if let variant = scarce(in: outcomes) { return .tooLittleData(variant: variant) }
        return conclusion(intervals: comparisons.map { interval(of: $0, in: outcomes) ?? Self.anything }, outcomes)
    }

    /// Whether the split is off, a sample ratio mismatch: at any time by the e-value, at the one look also by chi-square.
    func isSplitOff(_ counts: ExperimentCounts) -> Bool {
        if sampleRatio.logEValue(counts.exposed) >= -Libm.log(Self.sampleRatioAlpha) { return true }
        return horizon(of: counts).map { sampleRatio.chiSquared($0.map(\.units)).p < Self.sampleRatioAlpha } ?? false
    }

    /// Returns the outcomes of the planned units.
    /// Nil unless there are exactly that many, since any other number would be a second look.
    func horizon(of counts: ExperimentCounts) -> [Conversions]? {
        guard case .fixedHorizon(let units) = method, let atHorizon = counts.atHorizon else { return nil }
        return atHorizon.reduce(0, { $0 + $1.units }) == units ? atHorizon : nil
    }

    /// Returns the interval that the verdict rests on.
    func interval(of comparison: PlannedComparison, in outcomes: [Conversions]) -> ConfidenceInterval? {
        guard let difference = RateDifference(control: outcomes[0], treatment: outcomes[comparison.variant]) else { return nil }
        return method == .sequential
            ? comparison.sequence.interval(difference) : difference.newcombeInterval(alpha: comparison.alpha)
    }

    /// Returns the first variant that has fewer units or conversions than a verdict needs.
    private func scarce(in outcomes: [Conversions]) -> Int? {
        outcomes.indices.first { weights[$0] > 0 && !Self.isEnough(outcomes[$0]) }
    }

    /// Whether these are enough for a comparison.
    static func isEnough(_ outcomes: Conversions) -> Bool {
        outcomes.units >= minimumUnits && outcomes.converted >= minimumConversions
    }

    private static let anything = ConfidenceInterval(low: -1, high: 1)

    private func conclusion(intervals: [ConfidenceInterval], _ outcomes: [Conversions]) -> ExperimentConclusion {
        let better = zip(comparisons, intervals).filter { $1.isAboveZero }.map(\.0.variant)
        func rate(_ variant: Int) -> Double { outcomes[variant].rate ?? 0 }
        // Of equal rates, the first in order.
        if let best = better.max(by: { rate($0) < rate($1) }) { return .winner(variant: best) }
        if intervals.allSatisfy(\.isBelowZero) { return .winner(variant: 0) }
        if let detect = effect?.detect, intervals.allSatisfy({ $0.isWithin(detect) }) { return .noDifference }
        return .undecided
    }
}

/// What the counts show, before it is put into words.
enum ExperimentConclusion: Equatable {
    /// This variant reached the goal more often than the control. Of several, it is the one with the highest rate.
    /// The control wins if each of the others reached the goal less often.
    case winner(variant: Int)
    /// Every difference is smaller than the one to detect.
    case noDifference
    /// The counts show neither so far.
    case undecided
    /// The planned look is still to come.
    case beforeHorizon
    /// There is only one variant.
    case nothingToCompare
    /// This variant has too few units or conversions.
    case tooLittleData(variant: Int)
    /// A sample ratio mismatch, so that no comparison is valid.
    case sampleRatioMismatch
}
