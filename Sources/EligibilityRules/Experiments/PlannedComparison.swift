/// The comparison of one variant with the control, as settled before the first unit.
struct PlannedComparison: Sendable {
    /// The index of the variant.
    let variant: Int
    /// The probability that the comparison finds a difference where there is none.
    let alpha: Double
    /// The intervals, which may be inspected at any time.
    let sequence: ConfidenceSequence
    /// The units of all variants for one look; nil where no effect or no rate is given.
    let unitsForOneLook: Double?
    /// The units of all variants after which a sequence has probably decided.
    let unitsForSequence: Double?

    /// - Parameter weights: the weights of the control, of the variant, and of all variants together.
    init(variant: Int, alpha: Double, weights: (control: Int, treatment: Int, all: Int), effect: ChosenEffect?) {
        self.variant = variant
        self.alpha = alpha
        let ratio = Double(weights.treatment) / Double(weights.control)
        guard let effect, let expected = effect.expected else {
            sequence = ConfidenceSequence(alpha: alpha, tightestAt: ExperimentPlan.unitsWithoutEffect)
            (unitsForOneLook, unitsForSequence) = (nil, nil)
            return
        }
        let size = SampleSize(expected: expected, detect: effect.detect, ratio: ratio, alpha: alpha)
        sequence = ConfidenceSequence(alpha: alpha, tightestAt: size.units)
        let others = Double(weights.all) / (Double(weights.control) + Double(weights.treatment))
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
    /// The units of the variant per unit of the control.
    let ratio: Double
    /// The probability of finding a difference where there is none.
    let alpha: Double

    // The z that is exceeded with a probability of 1 − power.
    private static let zOfPower = NormalDistribution.quantile(upperTail: 1 - ExperimentPlan.power)

    private var variances: (control: Double, treatment: Double) {
        let rate = expected + detect
        return (expected * (1 - expected), rate * (1 - rate))
    }

    /// Units of the control for a test with one look, before rounding.
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

    /// Units of both for a test with one look, before rounding.
    var units: Double { controlUnits * (1 + ratio) }

    /// Units of both after which one look at the sequence excludes 0 with 80 % power. More looks find it earlier.
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
