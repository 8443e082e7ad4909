/// What the units of a variant paid within a time that is over for them, minus refunds.
///
/// It keeps enough to convert the amounts at any rates later.
public struct RevenueTally: Sendable {
    private struct Pair: Hashable {
        let first: String
        let second: String
    }

    /// How many units have been added, including those that paid nothing.
    public private(set) var units = 0
    /// How many of these units bought something whose price is not known.
    public private(set) var unknownPrices = 0
    private var sums: [String: Int64] = [:]
    // For each pair of currencies, the sum over all units of the product of what the unit paid in the two. A pair of the same
    // currency gives the sum of the squares.
    private var products: [Pair: Int128] = [:]

    mutating func add(_ paid: UnitOutcome.Paid) {
        units += 1
        if paid.hasUnknownPrice { unknownPrices += 1 }
        for payment in paid.payments {
            sums[payment.currency, default: 0] &+= payment.amount
            for other in paid.payments {
                let pair = Pair(first: payment.currency, second: other.currency)
                products[pair, default: 0] &+= Int128(payment.amount) * Int128(other.amount)
            }
        }
    }

    /// The currencies in which the units paid.
    var currencies: some Sequence<String> { sums.keys }

    /// Returns what the units paid in a currency.
    func sum(_ currency: String) -> RevenueSum? {
        RevenueSum(
            currency: currency, units: units, sum: sums[currency] ?? 0,
            sumOfSquares: products[Pair(first: currency, second: currency)] ?? 0)
    }

    /// Returns what the units paid in all currencies that have a rate, as if each payment had been converted.
    ///
    /// The total is exact. The moments are those of each unit's converted payments; nil without units.
    func converted(by table: CurrencyTable) -> (total: RevenueTotal, moments: RevenueMoments?) {
        let rated = sums.compactMap { currency, sum in table.rate(of: currency).map { (currency, sum, $0) } }
        let total = RevenueTotal(
            units: rated.reduce(0) { $0 + Int128($1.1) * $1.2.units }, places: CurrencyRate.places + 3)
        guard units > 0 else { return (total, nil) }
        var above = 0.0
        for (first, _, rate) in rated {
            for (second, _, other) in rated { above += squaresAboveMean(first, second) * rate.value * other.value }
        }
        let moments = RevenueMoments(
            currency: table.currency, units: units, mean: total.value / Double(units),
            variance: units < 2 ? nil : max(0, above) / (Double(units) * (Double(units) - 1)) / 1_000_000)
        return (total, moments)
    }

    // units · Σxy − Σx · Σy. It is computed in integers if they are large enough, because floating point would lose digits.
    private func squaresAboveMean(_ first: String, _ second: String) -> Double {
        let sum = products[Pair(first: first, second: second)] ?? 0
        let square = Int128(sums[first]!) * Int128(sums[second]!)
        let (product, overflow) = sum.multipliedReportingOverflow(by: Int128(units))
        return overflow ? Double(units) * Double(sum) - Double(square) : Double(product - square)
    }
}
