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
    public var unknownPrices: Int { window.unknownPrices }
    /// What these paid within their window.
    private(set) var window = RevenueTally()
    /// What the units paid by `UnitOutcome.laterDays`, of those for which that time is over.
    private(set) var later = UnitOutcome.laterDays.map { _ in RevenueTally() }

    mutating func add(_ unit: ExposedUnit, _ outcome: UnitOutcome) {
        exposed += 1
        if unit.isSigned { signed += 1 }
        if outcome.redeemedAt != nil { redeemed += 1 }
        for (index, time) in outcome.later.enumerated() where time.isOver {
            later[index].add(time.paid)
        }
        guard outcome.isMatured else { return }
        matured += 1
        if outcome.convertedAt != nil { converted += 1 }
        if outcome.isRefunded { refunded += 1 }
        if outcome.hasRetentionOffer { retentionOffers += 1 }
        window.add(outcome.paid)
    }

    /// The outcomes of the units whose window is over.
    var outcomes: Conversions { Conversions(converted, of: matured)! }

    /// The currencies in which they paid.
    var currencies: some Sequence<String> { window.currencies }

    /// Returns what they paid in a currency.
    func revenue(_ currency: String) -> RevenueSum? { window.sum(currency) }
}
