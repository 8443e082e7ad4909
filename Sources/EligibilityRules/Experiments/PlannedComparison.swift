/// The comparison of one variant with another, as it was settled before the first unit.
struct PlannedComparison: Sendable {
    /// The index of the variant that the other one is compared with: the control, or another variant.
    let base: Int
    /// The index of the variant.
    let variant: Int
    /// The confidence sequence of the difference of rates. A test that is read once takes only its probability of an error.
    let rate: ConfidenceSequence
    /// The confidence sequence of the difference in revenue per unit. A test of revenue that is read once takes only its probability
    /// of an error.
    let money: ConfidenceSequence
    /// How many units of all variants together a test that is read once needs; nil unless effect and spread are given.
    let unitsForOneLook: Double?
    /// After how many units of all variants together a sequential test has probably decided; nil unless effect and spread are given.
    let unitsForSequence: Double?

    /// Plans the comparison.
    ///
    /// - Parameters:
    ///   - base: the index of the variant that the other one is compared with.
    ///   - variant: the index of the other variant.
    ///   - measure: what the verdict rests on.
    ///   - alpha: the probability that the comparison finds a difference if there is none: of what the verdict rests on, and of what
    ///     is compared beside it.
    ///   - weights: the weights of all variants.
    ///   - effect: the difference to detect; nil if not given.
    init(
        of variant: Int,
        with base: Int,
        _ measure: ExperimentMeasure,
        alpha: (verdict: Double, beside: Double),
        weights: [Int],
        effect: ChosenEffect?
    ) {
        self.base = base
        self.variant = variant
        let size = effect.flatMap {
            SampleSize($0, ratio: Double(weights[variant]) / Double(weights[base]), alpha: alpha.verdict)
        }
        let units = size?.units ?? ExperimentPlan.unitsWithoutEffect
        let verdict = ConfidenceSequence(alpha: alpha.verdict, tightestAt: units)
        let beside = ConfidenceSequence(alpha: alpha.beside, tightestAt: units)
        (rate, money) = measure == .conversion ? (verdict, beside) : (beside, verdict)
        let others = Double(weights.reduce(0, +)) / (Double(weights[base]) + Double(weights[variant]))
        unitsForOneLook = size.map { $0.units * others }
        unitsForSequence = size.map { $0.units(of: verdict) * others }
    }
}

/// The units that one comparison needs to find an existing difference with 80 % power.
struct SampleSize {
    /// The difference to detect.
    let detect: Double
    /// How many units the variant has for each unit of the control.
    let ratio: Double
    /// The probability of finding a difference if there is none.
    let alpha: Double
    /// The variance of one unit's outcome with the control, with the variant, and with either if there is no difference.
    private let variances: (control: Double, treatment: Double, pooled: Double)

    /// Returns nil if the effect does not say how much outcomes vary: the expected rate, or the standard deviation of payments.
    init?(_ effect: ChosenEffect, ratio: Double, alpha: Double) {
        (detect, self.ratio, self.alpha) = (effect.detect, ratio, alpha)
        if let deviation = effect.standardDeviation {
            variances = (deviation * deviation, deviation * deviation, deviation * deviation)
            return
        }
        guard let expected = effect.expected else { return nil }
        func variance(_ rate: Double) -> Double { rate * (1 - rate) }
        variances = (
            variance(expected), variance(expected + detect), variance(expected + detect * ratio / (1 + ratio))
        )
    }

    // The value that a standard normal variable exceeds with a probability of 1 − power.
    private static let zOfPower = NormalDistribution.quantile(upperTail: 1 - ExperimentPlan.power)

    /// How many units of the control a test that is read once needs, before rounding.
    ///
    /// J. L. Fleiss, "Statistical Methods for Rates and Proportions", chapter 4, without continuity correction.
    var controlUnits: Double {
        let (control, treatment, pooled) = variances
        let null = (pooled * (1 + 1 / ratio)).squareRoot()
        let alternative = (control + treatment / ratio).squareRoot()
        let sum = NormalDistribution.criticalValue(alpha: alpha) * null + Self.zOfPower * alternative
        return sum * sum / (detect * detect)
    }

    /// How many units of control and variant together a test that is read once needs, before rounding.
    var units: Double { controlUnits * (1 + ratio) }

    /// After how many units of control and variant together one look at the sequence excludes 0 with 80 % power.
    ///
    /// A test that is read more often finds the difference earlier.
    func units(of sequence: ConfidenceSequence) -> Double {
        let (control, treatment, _) = variances
        let deviation = (control * (1 + ratio) + treatment * (1 + ratio) / ratio).squareRoot()
        func isEnough(_ t: Double) -> Bool {
            (sequence.reach(units: t) + Self.zOfPower / t.squareRoot()) * deviation <= detect
        }
        var (low, high) = (1.0, 2.0)
        while high.isFinite, !isEnough(high) { (low, high) = (high, high * 2) }
        while high - low > 0.5 {
            let middle = (low + high) / 2
            if isEnough(middle) { high = middle } else { low = middle }
        }
        return high
    }
}
