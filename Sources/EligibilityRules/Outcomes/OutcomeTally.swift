/// The counts of one variant, or of the holdout.
public struct OutcomeTally: Sendable {
    /// Units exposed, including those whose window is open.
    public private(set) var exposed = 0
    /// Units that received a signature.
    public private(set) var signed = 0
    /// Units that redeemed an offer of the variant, including refunded ones and those whose window is open.
    public private(set) var redeemed = 0
    /// Units whose window is over.
    public private(set) var matured = 0
    /// Of these, units that reached the goal and were not refunded.
    public private(set) var converted = 0
    /// Of these, units that reached the goal only with what was refunded.
    public private(set) var refunded = 0
    /// Of these, units that redeemed one of Apple's own retention offers.
    public private(set) var retentionOffers = 0
    /// Of these, units that bought something of unknown price.
    public private(set) var unknownPrices = 0
    private var payments: [String: (sum: Int64, squares: Int128)] = [:]

    mutating func add(_ unit: ExposedUnit, _ outcome: UnitOutcome) {
        exposed += 1
        if unit.isSigned { signed += 1 }
        if outcome.redeemedAt != nil { redeemed += 1 }
        guard outcome.isMatured else { return }
        matured += 1
        if outcome.convertedAt != nil { converted += 1 }
        if outcome.isRefunded { refunded += 1 }
        if outcome.hasRetentionOffer { retentionOffers += 1 }
        if outcome.hasUnknownPrice { unknownPrices += 1 }
        for payment in outcome.payments {
            let (sum, squares) = payments[payment.currency] ?? (0, 0)
            payments[payment.currency] = (
                sum &+ payment.amount, squares &+ Int128(payment.amount) * Int128(payment.amount)
            )
        }
    }

    /// The outcomes of the units whose window is over.
    var outcomes: Conversions { Conversions(converted, of: matured)! }

    /// The currencies in which they paid.
    var currencies: some Sequence<String> { payments.keys }

    /// Returns what they paid in a currency.
    func revenue(_ currency: String) -> RevenueSum? {
        let (sum, squares) = payments[currency] ?? (0, 0)
        return RevenueSum(currency: currency, units: matured, sum: sum, sumOfSquares: squares)
    }
}
