/// How many units there are, and how many of them reached the goal.
public struct Conversions: Hashable, Sendable {
    /// The number of units that reached the goal.
    public let converted: Int
    /// The number of all units.
    public let units: Int

    /// No units.
    public static let none = Conversions()

    private init() { (converted, units) = (0, 0) }

    /// The most units that floating point counts exactly, 2⁵³.
    static let mostUnits = 1 << 53

    /// - Returns: nil for impossible counts.
    public init?(_ converted: Int, of units: Int) {
        guard converted >= 0, converted <= units, units <= Self.mostUnits else { return nil }
        self.converted = converted
        self.units = units
    }

    /// The share of units that reached the goal; nil without units.
    public var rate: Double? { units == 0 ? nil : Double(converted) / Double(units) }

    /// Returns Wilson's score interval of the rate; from 0 to 1 without units.
    ///
    /// E. B. Wilson, "Probable inference, the law of succession, and statistical inference" (1927); no continuity correction.
    ///
    /// - Parameter alpha: the probability that the interval misses the true rate.
    public func wilsonInterval(alpha: Double = ExperimentPlan.alpha) -> ConfidenceInterval {
        wilsonInterval(z: NormalDistribution.criticalValue(alpha: alpha))
    }

    func wilsonInterval(z: Double) -> ConfidenceInterval {
        let (n, s, square) = (Double(units), Double(converted), z * z)
        guard n > 0 else { return ConfidenceInterval(low: 0, high: 1) }
        let middle = s + square / 2
        let reach = z * (s * ((n - s) / n) + square / 4).squareRoot()
        return ConfidenceInterval(
            low: converted == 0 ? 0 : max(0, (middle - reach) / (n + square)),
            high: converted == units ? 1 : min(1, (middle + reach) / (n + square)))
    }

    /// The estimated variance of one unit's outcome.
    ///
    /// One success and one failure are added to those that were seen, so that the variance is never 0.
    var variance: Double {
        let (s, n) = (Double(converted) + 1, Double(units) + 2)
        return s * (n - s) / (n * n)
    }
}
