/// What units of a variant paid in one currency, refunds taken off. Sums of several currencies are never added up.
public struct RevenueSum: Hashable, Sendable {
    /// ISO 4217.
    public let currency: String
    /// Units whose window is over, those that paid nothing included.
    public let units: Int
    /// What they paid, in thousandths of the currency's unit.
    public let sum: Int64
    /// The sum of the squares of what each of them paid.
    public let sumOfSquares: Int128

    /// - Returns: nil for sums that cannot be: no unit with money, or squares too small for their sum.
    public init?(currency: String, units: Int, sum: Int64, sumOfSquares: Int128) {
        guard units >= 0, units <= Conversions.mostUnits, sumOfSquares >= 0 else { return nil }
        guard units > 0 || (sum == 0 && sumOfSquares == 0) else { return nil }
        self.currency = currency
        self.units = units
        self.sum = sum
        self.sumOfSquares = sumOfSquares
        if squaresAboveMean < 0 { return nil }
    }

    /// Adds up what each unit paid, in thousandths of the currency's unit.
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

    /// The mean in the currency's unit; nil without units.
    var mean: Double? { units == 0 ? nil : Double(sum) / Double(units) / 1000 }

    /// The variance of one unit's payment, in the currency's unit squared; nil with fewer than two units.
    var variance: Double? {
        units < 2 ? nil : squaresAboveMean / (Double(units) * (Double(units) - 1)) / 1_000_000
    }

    // units · Σx² − (Σx)²: exact where it fits, since in floating point the two would lose their digits against each other.
    private var squaresAboveMean: Double {
        let square = Int128(sum) * Int128(sum)
        let (product, overflow) = sumOfSquares.multipliedReportingOverflow(by: Int128(units))
        return overflow ? Double(units) * Double(sumOfSquares) - Double(square) : Double(product - square)
    }
}
