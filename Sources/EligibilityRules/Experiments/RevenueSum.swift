/// What the units of a variant paid in one currency, minus refunds.
public struct RevenueSum: Hashable, Sendable {
    /// The currency's code (ISO 4217).
    public let currency: String
    /// How many units have been counted, including those that paid nothing.
    public let units: Int
    /// What the units paid together, in thousandths of the currency's unit.
    public let sum: Int64
    /// The sum of the squares of the units' payments.
    public let sumOfSquares: Int128

    /// Creates a sum; nil if the figures contradict each other, as money without units or squares that are too small do.
    public init?(currency: String, units: Int, sum: Int64, sumOfSquares: Int128) {
        guard units >= 0, units <= Conversions.mostUnits, sumOfSquares >= 0 else { return nil }
        guard units > 0 || (sum == 0 && sumOfSquares == 0) else { return nil }
        self.currency = currency
        self.units = units
        self.sum = sum
        self.sumOfSquares = sumOfSquares
        if squaresAboveMean < 0 { return nil }
    }

    /// Adds up one amount per unit, in thousandths of the currency's unit; nil if the sums are too large.
    public init?(currency: String, amounts: some Sequence<Int64>) {
        var (units, sum, squares) = (0, Int64(0), Int128(0))
        for amount in amounts {
            let (next, overflow) = sum.addingReportingOverflow(amount)
            let (more, tooMuch) = squares.addingReportingOverflow(Int128(amount) * Int128(amount))
            guard !overflow, !tooMuch else { return nil }
            (units, sum, squares) = (units + 1, next, more)
        }
        self.init(currency: currency, units: units, sum: sum, sumOfSquares: squares)
    }

    /// The mean payment per unit, in the currency's unit; nil without units.
    var mean: Double? { units == 0 ? nil : Double(sum) / Double(units) / 1000 }

    /// The variance of one unit's payment, in the currency's unit squared; nil with fewer than two units.
    var variance: Double? {
        units < 2 ? nil : squaresAboveMean / (Double(units) * (Double(units) - 1)) / 1_000_000
    }

    // units · Σx² − (Σx)². It is computed in integers if they are large enough, because floating point would lose digits.
    private var squaresAboveMean: Double {
        let square = Int128(sum) * Int128(sum)
        let (product, overflow) = sumOfSquares.multipliedReportingOverflow(by: Int128(units))
        return overflow ? Double(units) * Double(sumOfSquares) - Double(square) : Double(product - square)
    }
}
