/// Intervals for a difference of two shares that may be looked at after every unit: with the chosen confidence none of them, ever,
/// misses the true difference.
///
/// The asymptotic confidence sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central limit theory and
/// asymptotic confidence sequences" (Annals of Statistics 52(6), 2024), theorem 2.2, for the difference in means of a randomised
/// experiment. It follows from the counts alone, so it can be worked out again at any time.
struct ConfidenceSequence {
    /// How often it may miss the true difference at any time.
    let alpha: Double
    /// ρ², which says when the sequence is tightest. It may not depend on the outcomes.
    let rhoSquared: Double

    /// - Parameter units: of both variants together, after which the sequence shall be about tightest.
    init(alpha: Double, tightestAt units: Double) {
        // Where it is tightest, x = tρ² is −2 ln α + ln(1 + x). One step from x = −2 ln α, as the paper takes it.
        let log = -2 * Libm.log(alpha)
        self.init(alpha: alpha, rhoSquared: (log + Libm.log(log + 1)) / units)
    }

    init(alpha: Double, rhoSquared: Double) {
        self.alpha = alpha
        self.rhoSquared = rhoSquared
    }

    /// Half the width after so many units whose outcomes have variance 1.
    func reach(units t: Double) -> Double {
        let growth = t * rhoSquared + 1
        return (growth / (t * t * rhoSquared) * (Libm.log(growth) - 2 * Libm.log(alpha))).squareRoot()
    }

    /// The interval now.
    func interval(_ difference: RateDifference) -> ConfidenceInterval {
        let reach = reach(units: difference.units) * difference.variancePerUnit.squareRoot()
        let value = difference.value
        return ConfidenceInterval(low: max(-1, value - reach), high: min(1, value + reach))
    }

    /// The smallest `alpha` with which the interval would leave out 0: a p-value that holds however often one looks.
    func pValue(_ difference: RateDifference) -> Double {
        let t = difference.units
        let growth = t * rhoSquared + 1
        let square = difference.value * difference.value / difference.variancePerUnit
        return min(1, Libm.exp(0.5 * Libm.log(growth) - square * t * (t * rhoSquared / growth) / 2))
    }
}

extension RateDifference {
    /// The units of both.
    fileprivate var units: Double { Double(control.units) + Double(treatment.units) }

    /// The variance of the difference, times the units of both.
    fileprivate var variancePerUnit: Double {
        units * (control.variance / Double(control.units) + treatment.variance / Double(treatment.units))
    }
}
