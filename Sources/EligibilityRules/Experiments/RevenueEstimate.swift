/// Revenue per exposed unit in one currency, in the currency's unit. The interval is for one look.
public struct RevenueEstimate: Hashable, Sendable {
    /// ISO 4217.
    public let currency: String
    /// The mean, or its difference from the control's.
    public let value: Double
    /// Student's interval of the mean, or Welch's of a difference; nil with fewer than two units, or where all paid the same.
    public let interval: ConfidenceInterval?

    /// The mean of a variant; nil without units.
    init?(_ revenue: RevenueSum, alpha: Double = ExperimentPlan.alpha) {
        guard let moments = revenue.moments else { return nil }
        self.init(moments, alpha: alpha)
    }

    /// The mean of a variant.
    init(_ revenue: RevenueMoments, alpha: Double = ExperimentPlan.alpha) {
        currency = revenue.currency
        value = revenue.mean
        let squared = revenue.variance.map { $0 / Double(revenue.units) }
        interval = Self.interval(around: value, squared, degreesOfFreedom: Double(revenue.units) - 1, alpha)
    }

    /// The difference of two means; nil without units, and for different currencies.
    ///
    /// B. L. Welch, "The generalization of Student's problem when several different population variances are involved" (1947), with
    /// Satterthwaite's degrees of freedom.
    init?(control: RevenueSum, treatment: RevenueSum, alpha: Double = ExperimentPlan.alpha) {
        guard let base = control.moments, let moments = treatment.moments else { return nil }
        self.init(control: base, treatment: moments, alpha: alpha)
    }

    /// The difference of two means; nil for different currencies.
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
        // As fractions of the sum, so that no square is too small or too large.
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

/// What units paid on average in one currency, and how much their payments differ: all that an estimate needs.
struct RevenueMoments {
    /// ISO 4217.
    let currency: String
    /// At least one.
    let units: Int
    /// In the currency's unit.
    let mean: Double
    /// Of one unit's payment, in the currency's unit squared; nil with fewer than two units.
    let variance: Double?
}

extension RevenueSum {
    /// Nil without units.
    var moments: RevenueMoments? {
        mean.map { RevenueMoments(currency: currency, units: units, mean: $0, variance: variance) }
    }
}
