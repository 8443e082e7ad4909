/// The conversion rate of a variant minus that of the control.
struct RateDifference {
    let control: Conversions
    /// The outcomes of the variant.
    let treatment: Conversions

    /// Compares a variant with the control; nil if either has no units.
    init?(control: Conversions, treatment: Conversions) {
        guard control.units > 0, treatment.units > 0 else { return nil }
        self.control = control
        self.treatment = treatment
    }

    /// The variant's rate minus the control's.
    var value: Double {
        Double(treatment.converted) / Double(treatment.units) - Double(control.converted) / Double(control.units)
    }

    /// Returns Newcombe's hybrid score interval, which is valid if it is read once.
    ///
    /// R. G. Newcombe, "Interval estimation for the difference between independent proportions" (1998), method 10.
    func newcombeInterval(alpha: Double = ExperimentPlan.alpha) -> ConfidenceInterval {
        let z = NormalDistribution.criticalValue(alpha: alpha)
        let (one, other) = (treatment.wilsonInterval(z: z), control.wilsonInterval(z: z))
        let (rate, base) = (
            Double(treatment.converted) / Double(treatment.units), Double(control.converted) / Double(control.units)
        )
        func length(_ a: Double, _ b: Double) -> Double { (a * a + b * b).squareRoot() }
        return ConfidenceInterval(
            low: max(-1, rate - base - length(rate - one.low, other.high - base)),
            high: min(1, rate - base + length(one.high - rate, base - other.low)))
    }

    /// The two-sided z test of no difference with a pooled rate, which is valid if it is read once.
    ///
    /// z is 0 if no unit or every unit converted.
    var zTest: (z: Double, p: Double) {
        let (n, m) = (Double(treatment.units), Double(control.units))
        let converted = Double(treatment.converted) + Double(control.converted)
        let pooled = converted / (n + m)
        let variance = pooled * ((n + m - converted) / (n + m)) * (1 / n + 1 / m)
        guard variance > 0 else { return (0, 1) }
        let z = value / variance.squareRoot()
        return (z, NormalDistribution.twoSidedP(z))
    }

    /// The probability that the variant's true rate is the higher one, with uniform priors.
    ///
    /// It is exact. Beta(a, b) is the distribution of the a-th smallest of a + b − 1 uniform random numbers. Put the numbers of
    /// control and variant into one ascending sequence: the variant's rate is the higher one if the control has at least a of the
    /// first a + c − 1 places. The probability of that is the tail of a hypergeometric distribution (Altham, 1969).
    var chanceToBeatControl: Double {
        let (a, n) = (Double(control.converted) + 1, Double(control.units) + 1)
        let (c, m) = (Double(treatment.converted) + 1, Double(treatment.units) + 1)
        return HypergeometricDistribution(population: n + m, marked: n, drawn: a + c - 1).upperTail(a)
    }
}
