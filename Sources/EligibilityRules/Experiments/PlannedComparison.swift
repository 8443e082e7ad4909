/// The comparison of one variant with another, as it was settled before the first unit.
struct PlannedComparison: Sendable {
    /// The index of the variant that the other one is compared with: the control, or another variant.
    let base: Int
    /// The index of the variant.
    let variant: Int
    /// The probability that the comparison finds a difference if there is none.
    let alpha: Double
    /// The confidence sequence of the difference, for a sequential test.
    let sequence: ConfidenceSequence
    /// The confidence sequence of the difference in revenue per unit.
    let money: ConfidenceSequence
    /// How many units of all variants together a test that is read once needs; nil unless effect and expected rate are given.
    let unitsForOneLook: Double?
    /// After how many units of all variants together a sequential test has probably decided; nil unless effect and expected rate
    /// are given.
    let unitsForSequence: Double?

    /// Plans the comparison.
    ///
    /// - Parameters:
    ///   - base: the index of the variant that the other one is compared with.
    ///   - variant: the index of the other variant.
    ///   - alpha: the probability that the comparison finds a difference of rates if there is none, and the same for revenue.
    ///   - weights: the weights of all variants.
    ///   - effect: the difference to detect; nil if not given.
    init(
        of variant: Int,
        with base: Int = 0,
        alpha: (rate: Double, money: Double),
        weights: [Int],
        effect: ChosenEffect?
    ) {
        self.base = base
        self.variant = variant
        self.alpha = alpha.rate
        let ratio = Double(weights[variant]) / Double(weights[base])
        guard let effect, let expected = effect.expected else {
            sequence = ConfidenceSequence(alpha: alpha.rate, tightestAt: ExperimentPlan.unitsWithoutEffect)
            money = ConfidenceSequence(alpha: alpha.money, tightestAt: ExperimentPlan.unitsWithoutEffect)
            (unitsForOneLook, unitsForSequence) = (nil, nil)
            return
        }
        let size = SampleSize(expected: expected, detect: effect.detect, ratio: ratio, alpha: alpha.rate)
        sequence = ConfidenceSequence(alpha: alpha.rate, tightestAt: size.units)
        money = ConfidenceSequence(alpha: alpha.money, tightestAt: size.units)
        let others = Double(weights.reduce(0, +)) / (Double(weights[base]) + Double(weights[variant]))
        unitsForOneLook = size.units * others
        unitsForSequence = size.units(of: sequence) * others
    }
}

/// The units that one comparison needs to find an existing difference with 80 % power.
struct SampleSize {
    /// The expected rate of the control.
    let expected: Double
    /// The difference to detect.
    let detect: Double
    /// How many units the variant has for each unit of the control.
    let ratio: Double
    /// The probability of finding a difference if there is none.
    let alpha: Double

    // The value that a standard normal variable exceeds with a probability of 1 − power.
    private static let zOfPower = NormalDistribution.quantile(upperTail: 1 - ExperimentPlan.power)

    private var variances: (control: Double, treatment: Double) {
        let rate = expected + detect
        return (expected * (1 - expected), rate * (1 - rate))
    }

    /// How many units of the control a test that is read once needs, before rounding.
    ///
    /// J. L. Fleiss, "Statistical Methods for Rates and Proportions", chapter 4, without continuity correction.
    var controlUnits: Double {
        let pooled = expected + detect * ratio / (1 + ratio)
        let (control, treatment) = variances
        let null = (pooled * (1 - pooled) * (1 + 1 / ratio)).squareRoot()
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
        let (control, treatment) = variances
        let deviation = (control * (1 + ratio) + treatment * (1 + ratio) / ratio).squareRoot()
        func isEnough(_ t: Double) -> Bool {
            (sequence.reach(units: t) + Self.zOfPower / t.squareRoot()) * deviation <= detect
        }
        var (low, high) = (1.0, 2.0)
        while !isEnough(high) { (low, high) = (high, high * 2) }
        while high - low > 0.5 {
            let middle = (low + high) / 2
            if isEnough(middle) { high = middle } else { low = middle }
        }
        return high
    }
}
