/// How many units one comparison needs to show a difference four times out of five, if there is one.
struct SampleSize {
    /// The share of the control that reaches the goal.
    let expected: Double
    /// The difference.
    let detect: Double
    /// How many units the variant gets for each of the control's.
    let ratio: Double
    /// How often a difference may be seen where there is none.
    let alpha: Double

    // One more than four times out of five is exceeded by it.
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

    /// Units of both after which the sequence, seen once, leaves out 0 four times out of five; whoever looks often is there earlier.
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
