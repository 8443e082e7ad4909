/// Confidence intervals for a difference of two rates or of two means, which may be inspected after every unit.
///
/// With the chosen confidence, no interval of the sequence ever misses the true difference.
///
/// The asymptotic confidence sequence for the difference in means of a randomised experiment, theorem 2.2 of:
/// Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central limit theory and asymptotic confidence sequences"
/// (Annals of Statistics 52(6), 2024). It follows from the counts alone, so that it can be recomputed at any time.
struct ConfidenceSequence {
    /// The probability that any interval of the sequence misses the true difference.
    let alpha: Double
    /// ρ², which determines after how many units the sequence is tightest.
    ///
    /// It must not depend on the outcomes.
    let rhoSquared: Double

    /// - Parameter units: the units of both variants together after which the sequence is about tightest.
    init(alpha: Double, tightestAt units: Double) {
        // The sequence is tightest where x = tρ² solves x = −2 ln α + ln(1 + x). As in the paper, the solution is approximated
        // by one step from x = −2 ln α.
        let log = -2 * Libm.log(alpha)
        self.init(alpha: alpha, rhoSquared: (log + Libm.log(log + 1)) / units)
    }

    init(alpha: Double, rhoSquared: Double) {
        self.alpha = alpha
        self.rhoSquared = rhoSquared
    }

    /// Half the width of the interval after `t` units whose outcomes have variance 1.
    func reach(units t: Double) -> Double {
        let growth = t * rhoSquared + 1
        return (growth / (t * t * rhoSquared) * (Libm.log(growth) - 2 * Libm.log(alpha))).squareRoot()
    }

    /// Returns the interval after the units that have been counted.
    func interval(_ difference: RateDifference) -> ConfidenceInterval {
        let reach = reach(units: difference.units) * difference.variancePerUnit.squareRoot()
        let value = difference.value
        return ConfidenceInterval(low: max(-1, value - reach), high: min(1, value + reach))
    }

    /// Returns the interval of the difference of two means; nil if the payments do not vary.
    ///
    /// It holds where the mean of the payments is close to normal. That takes more units if a few of them pay most of the money.
    func interval(_ difference: MeanDifference) -> ConfidenceInterval? {
        guard let variance = difference.variancePerUnit, variance > 0 else { return nil }
        let reach = reach(units: difference.units) * variance.squareRoot()
        return ConfidenceInterval(low: difference.value - reach, high: difference.value + reach)
    }

    /// The smallest `alpha` at which the interval excludes 0: an always-valid p-value.
    func pValue(_ difference: RateDifference) -> Double {
        let t = difference.units
        let growth = t * rhoSquared + 1
        let square = difference.value * difference.value / difference.variancePerUnit
        return min(1, Libm.exp(0.5 * Libm.log(growth) - square * t * (t * rhoSquared / growth) / 2))
    }
}

extension RateDifference {
    /// The units of both variants.
    fileprivate var units: Double { Double(control.units) + Double(treatment.units) }

    /// The variance of the difference, times the units of both variants.
    fileprivate var variancePerUnit: Double {
        units * (control.variance / Double(control.units) + treatment.variance / Double(treatment.units))
    }
}
