/// The conversion rate of a variant minus that of the control.
struct RateDifference {
    /// The control.
    let control: Conversions
    /// The variant.
    let treatment: Conversions

    /// - Returns: nil where either has no units.
    init?(control: Conversions, treatment: Conversions) {
        guard control.units > 0, treatment.units > 0 else { return nil }
        self.control = control
        self.treatment = treatment
    }

    /// The difference.
    var value: Double {
        Double(treatment.converted) / Double(treatment.units) - Double(control.converted) / Double(control.units)
    }

    /// Newcombe's hybrid score interval, for one look.
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

    /// The two-sided z test of no difference with a pooled rate, for one look. z is 0 where no unit or every unit converted.
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
    /// Exact. Beta(a, b) is the distribution of the a-th smallest of a + b − 1 uniform random numbers. With two such groups in
    /// one sequence, the question is how many of the first a + c − 1 places are the control's. That is a hypergeometric tail
    /// (Altham, 1969).
    var chanceToBeatControl: Double {
        let (a, n) = (Double(control.converted) + 1, Double(control.units) + 1)
        let (c, m) = (Double(treatment.converted) + 1, Double(treatment.units) + 1)
        return HypergeometricDistribution(population: n + m, marked: n, drawn: a + c - 1).upperTail(a)
    }
}
