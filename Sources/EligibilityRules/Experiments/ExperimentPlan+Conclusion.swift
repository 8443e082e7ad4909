extension ExperimentPlan {
    /// Returns what these counts show.
    func conclusion(_ counts: ExperimentCounts) -> ExperimentConclusion {
        if isSplitOff(counts) { return .sampleRatioMismatch }
        guard !comparisons.isEmpty else { return .nothingToCompare }
        if !counts.currenciesWithoutRate.isEmpty { return .unknownMoney(currencies: counts.currenciesWithoutRate) }
        let outcomes: [GoalOutcomes]
        switch method {
        case .sequential: outcomes = counts.outcomes
        case .fixedHorizon:
            guard let atHorizon = horizon(of: counts) else {
                return scarce(in: counts.outcomes).map(ExperimentConclusion.tooLittleData) ?? .beforeHorizon
            }
            outcomes = atHorizon
        }
        if let variant = scarce(in: outcomes) { return .tooLittleData(variant: variant) }
        return conclusion(intervals: comparisons.map { difference(of: $0, in: outcomes)?.interval ?? Self.anything }, outcomes)
    }

    /// Whether there is a sample ratio mismatch: the units are not split as planned.
    ///
    /// The e-value shows it at any time. At the one look of a fixed horizon, the chi-square test is made in addition.
    func isSplitOff(_ counts: ExperimentCounts) -> Bool {
        if sampleRatio.logEValue(counts.exposed) >= -Libm.log(Self.sampleRatioAlpha) { return true }
        return horizon(of: counts).map { sampleRatio.chiSquared($0.map(\.conversions.units)).p < Self.sampleRatioAlpha } ?? false
    }

    /// Returns the outcomes at the fixed horizon; nil unless exactly the planned number of units is counted.
    ///
    /// With any other number, the result would be read more than once.
    func horizon(of counts: ExperimentCounts) -> [GoalOutcomes]? {
        guard case .fixedHorizon(let units) = method, let atHorizon = counts.atHorizon else { return nil }
        return atHorizon.reduce(0, { $0 + $1.conversions.units }) == units ? atHorizon : nil
    }

    /// Returns the difference on which the verdict rests; nil if it cannot be estimated.
    func difference(of comparison: PlannedComparison, in outcomes: [GoalOutcomes]) -> PairDifference? {
        measure == .conversion ? rate(of: comparison, in: outcomes) : revenue(of: comparison, in: outcomes)
    }

    /// Returns the difference of two rates; nil if one of the variants has no units.
    func rate(of comparison: PlannedComparison, in outcomes: [GoalOutcomes]) -> PairDifference? {
        let compared = [outcomes[comparison.base].conversions, outcomes[comparison.variant].conversions]
        guard let difference = RateDifference(control: compared[0], treatment: compared[1]) else { return nil }
        let interval =
            method == .sequential
            ? comparison.rate.interval(difference) : difference.newcombeInterval(alpha: comparison.rate.alpha)
        return PairDifference(value: difference.value, interval: interval)
    }

    /// Returns the difference of what a unit pays; nil if it is not known, with too few units, and if all units paid the same.
    ///
    /// The interval is of the confidence sequence, unless revenue is the goal of a test that is read once.
    func revenue(of comparison: PlannedComparison, in outcomes: [GoalOutcomes]) -> PairDifference? {
        guard let base = outcomes[comparison.base].revenue, let other = outcomes[comparison.variant].revenue,
            min(base.units, other.units) >= Self.minimumUnits
        else { return nil }
        let difference = MeanDifference(base: base, other: other)
        let isReadOnce = method != .sequential && measure != .conversion
        let interval =
            isReadOnce
            ? RevenueEstimate(control: base, treatment: other, alpha: comparison.money.alpha)?.interval
            : comparison.money.interval(difference)
        return interval.map { PairDifference(value: difference.value, interval: $0) }
    }

    /// Returns the first variant that has fewer units or conversions than a verdict needs.
    private func scarce(in outcomes: [GoalOutcomes]) -> Int? {
        outcomes.indices.first { weights[$0] > 0 && !Self.isEnough(outcomes[$0].conversions) }
    }

    /// Whether there are enough units and conversions for a comparison.
    static func isEnough(_ outcomes: Conversions) -> Bool {
        outcomes.units >= minimumUnits && outcomes.converted >= minimumConversions
    }

    private static let anything = ConfidenceInterval(low: -.infinity, high: .infinity)

    private func conclusion(intervals: [ConfidenceInterval], _ outcomes: [GoalOutcomes]) -> ExperimentConclusion {
        let better = zip(comparisons, intervals).filter { $1.isAboveZero }.map(\.0.variant)
        func value(_ variant: Int) -> Double { outcomes[variant].value(of: measure) ?? 0 }
        // If two are equal, the first variant wins.
        if let best = better.max(by: { value($0) < value($1) }) { return .winner(variant: best) }
        if intervals.allSatisfy(\.isBelowZero) { return .winner(variant: 0) }
        if let detect = effect?.detect, intervals.allSatisfy({ $0.isWithin(detect) }) { return .noDifference }
        return .undecided
    }
}

/// What the counts show, before it is put into words.
enum ExperimentConclusion: Equatable {
    /// This variant has won, because its units reached the goal more often than those of the control, or paid more.
    ///
    /// If several variants did better, it is the one with the highest rate or mean. The control (0) has won if every other variant
    /// did worse.
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
    /// Revenue is the goal, but units paid in these currencies, which cannot be converted into the goal's.
    case unknownMoney(currencies: [String])
    /// The units are not split as planned, so that no comparison is valid.
    case sampleRatioMismatch
}
