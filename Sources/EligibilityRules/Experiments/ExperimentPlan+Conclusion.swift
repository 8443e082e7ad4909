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

    /// Whether there is a sample ratio mismatch: the units are not split as planned.
    ///
    /// The e-value shows it at any time. At the one look of a fixed horizon, the chi-square test is made in addition.
    func isSplitOff(_ counts: ExperimentCounts) -> Bool {
        if sampleRatio.logEValue(counts.exposed) >= -Libm.log(Self.sampleRatioAlpha) { return true }
        return horizon(of: counts).map { sampleRatio.chiSquared($0.map(\.units)).p < Self.sampleRatioAlpha } ?? false
    }

    /// Returns the outcomes at the fixed horizon; nil unless exactly the planned number of units is counted.
    ///
    /// With any other number, the result would be read more than once.
    func horizon(of counts: ExperimentCounts) -> [Conversions]? {
        guard case .fixedHorizon(let units) = method, let atHorizon = counts.atHorizon else { return nil }
        return atHorizon.reduce(0, { $0 + $1.units }) == units ? atHorizon : nil
    }

    /// Returns the interval on which the verdict rests; nil if one of the variants has no units.
    func interval(of comparison: PlannedComparison, in outcomes: [Conversions]) -> ConfidenceInterval? {
        guard let difference = RateDifference(control: outcomes[comparison.base], treatment: outcomes[comparison.variant]) else {
            return nil
        }
        return method == .sequential
            ? comparison.sequence.interval(difference) : difference.newcombeInterval(alpha: comparison.alpha)
    }

    /// Returns the first variant that has fewer units or conversions than a verdict needs.
    private func scarce(in outcomes: [Conversions]) -> Int? {
        outcomes.indices.first { weights[$0] > 0 && !Self.isEnough(outcomes[$0]) }
    }

    /// Whether there are enough units and conversions for a comparison.
    static func isEnough(_ outcomes: Conversions) -> Bool {
        outcomes.units >= minimumUnits && outcomes.converted >= minimumConversions
    }

    private static let anything = ConfidenceInterval(low: -1, high: 1)

    private func conclusion(intervals: [ConfidenceInterval], _ outcomes: [Conversions]) -> ExperimentConclusion {
        let better = zip(comparisons, intervals).filter { $1.isAboveZero }.map(\.0.variant)
        func rate(_ variant: Int) -> Double { outcomes[variant].rate ?? 0 }
        // If rates are equal, the first variant wins.
        if let best = better.max(by: { rate($0) < rate($1) }) { return .winner(variant: best) }
        if intervals.allSatisfy(\.isBelowZero) { return .winner(variant: 0) }
        if let detect = effect?.detect, intervals.allSatisfy({ $0.isWithin(detect) }) { return .noDifference }
        return .undecided
    }
}

/// What the counts show, before it is put into words.
enum ExperimentConclusion: Equatable {
    /// This variant has won, because it reached the goal more often than the control.
    ///
    /// If several variants did, it is the one with the highest rate. The control (0) has won if every other variant reached the
    /// goal less often.
    case winner(variant: Int)
    /// Every difference from the control is smaller than the one to detect.
    case noDifference
    /// The counts show neither a winner nor that there is no difference.
    case undecided
    /// The fixed horizon, at which the result is read, is not reached.
    case beforeHorizon
    /// Customers get only one variant.
    case nothingToCompare
    /// This variant has too few units or conversions.
    case tooLittleData(variant: Int)
    /// The units are not split as planned, so that no comparison is valid.
    case sampleRatioMismatch
}
