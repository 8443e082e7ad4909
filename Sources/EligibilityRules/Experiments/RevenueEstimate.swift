/// The revenue per exposed unit in one currency, or how much it differs from the control's.
///
/// Amounts are in the currency's unit. The interval is valid if it is read once.
public struct RevenueEstimate: Hashable, Sendable {
    /// The currency's code (ISO 4217).
    public let currency: String
    /// The mean per unit, or the mean minus the control's.
    public let value: Double
    /// Student's interval of the mean, or Welch's of the difference; nil with fewer than two units, or if all paid the same.
    public let interval: ConfidenceInterval?

    /// Estimates the mean of a variant; nil without units.
    init?(_ revenue: RevenueSum, alpha: Double = ExperimentPlan.alpha) {
        guard let moments = revenue.moments else { return nil }
        self.init(moments, alpha: alpha)
    }

    /// Estimates the mean of a variant.
    init(_ revenue: RevenueMoments, alpha: Double = ExperimentPlan.alpha) {
        currency = revenue.currency
        value = revenue.mean
        let squared = revenue.variance.map { $0 / Double(revenue.units) }
        interval = Self.interval(around: value, squared, degreesOfFreedom: Double(revenue.units) - 1, alpha)
    }

    /// Estimates the difference of two means; nil without units, and for different currencies.
    ///
    /// B. L. Welch, "The generalization of Student's problem when several different population variances are involved" (1947),
    /// with Satterthwaite's degrees of freedom.
    init?(control: RevenueSum, treatment: RevenueSum, alpha: Double = ExperimentPlan.alpha) {
        guard let base = control.moments, let moments = treatment.moments else { return nil }
        self.init(control: base, treatment: moments, alpha: alpha)
    }

    /// Estimates the difference of two means; nil for different currencies.
    init?(control: RevenueMoments, treatment: RevenueMoments, alpha: Double = ExperimentPlan.alpha) {
        guard control.currency == treatment.currency else { return nil }
        currency = control.currency
        value = treatment.mean - control.mean
        guard let one = treatment.variance, let other = control.variance else {
            interval = nil
            return
        }
        let (n, m) = (Double(treatment.units), Double(control.units))
        let (first, second) = (one / n, other / m)
        let sum = first + second
        // Both are divided by their sum, so that the squares neither vanish nor overflow.
        let (a, b) = (first / sum, second / sum)
        interval = Self.interval(around: value, sum, degreesOfFreedom: 1 / (a * a / (n - 1) + b * b / (m - 1)), alpha)
    }

    private static func interval(
        around value: Double,
        _ squaredError: Double?,
        degreesOfFreedom: Double,
        _ alpha: Double
    ) -> ConfidenceInterval? {
        guard let squaredError, squaredError > 0 else { return nil }
        let critical = StudentDistribution.criticalValue(alpha: alpha, degreesOfFreedom: degreesOfFreedom)
        let reach = critical * squaredError.squareRoot()
        return ConfidenceInterval(low: value - reach, high: value + reach)
    }
}

/// What units paid on average in one currency, and how much their payments vary.
///
/// An estimate needs no more.
struct RevenueMoments: Hashable {
    /// The currency's code (ISO 4217).
    let currency: String
    /// The number of units, at least one.
    let units: Int
    /// The mean payment per unit, in the currency's unit.
    let mean: Double
    /// The variance of one unit's payment, in the currency's unit squared; nil with fewer than two units.
    let variance: Double?
}

/// What a unit of one variant pays on average minus what a unit of another pays, in the same currency.
struct MeanDifference {
    let base: RevenueMoments
    let other: RevenueMoments

    /// The other's mean minus the base's.
    var value: Double { other.mean - base.mean }

    /// The units of both variants.
    var units: Double { Double(base.units) + Double(other.units) }

    /// The variance of the difference, times the units of both variants; nil if it cannot be estimated.
    var variancePerUnit: Double? {
        guard let one = base.variance, let two = other.variance else { return nil }
        return units * (one / Double(base.units) + two / Double(other.units))
    }
}

extension RevenueSum {
    /// The mean and the variance of the payments; nil without units.
    var moments: RevenueMoments? {
        mean.map { RevenueMoments(currency: currency, units: units, mean: $0, variance: variance) }
    }
}
