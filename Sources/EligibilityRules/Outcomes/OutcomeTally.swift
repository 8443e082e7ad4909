/// The counts of one variant, or of the holdout.
public struct OutcomeTally: Sendable {
    /// How many units were exposed, including those whose window is still open.
    public private(set) var exposed = 0
    /// To how many units a signature was issued.
    public private(set) var signed = 0
    /// How many units redeemed an offer of the variant, including refunds and units whose window is still open.
    public private(set) var redeemed = 0
    /// How many units have matured: their window is over.
    public private(set) var matured = 0
    /// How many matured units reached the goal with something that was not refunded.
    public private(set) var converted = 0
    /// How many matured units reached the goal only with something that was refunded.
    public private(set) var refunded = 0
    /// How many matured units redeemed one of Apple's own retention offers.
    public private(set) var retentionOffers = 0
    /// How many matured units bought something whose price is not known.
    public var unknownPrices: Int { window.unknownPrices }
    /// What the matured units paid within their window.
    private(set) var window = RevenueTally()
    /// What the units paid within each of `UnitOutcome.laterDays`. A unit is counted once that time is over for it.
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

    /// How many matured units reached the goal.
    var outcomes: Conversions { Conversions(converted, of: matured)! }

    /// The currencies in which the matured units paid within their window.
    var currencies: some Sequence<String> { window.currencies }

    /// Returns what the matured units paid within their window, converted; nil without units.
    func convertedRevenue(by table: CurrencyTable) -> RevenueMoments? { window.converted(by: table).moments }

    /// Returns what the matured units paid in a currency within their window.
    func revenue(_ currency: String) -> RevenueSum? { window.sum(currency) }
}
