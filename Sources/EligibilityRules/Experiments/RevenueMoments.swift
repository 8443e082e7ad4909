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
