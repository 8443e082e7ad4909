/// The counts of one variant. Units that saw two variants count in neither.
public struct VariantTally: Sendable {
    /// The variant.
    public let id: String
    /// Its name, or its id where it has none.
    public let label: String
    /// Units exposed to it, including those whose window is open.
    public let exposed: Int
    /// The outcomes of the units whose window is over.
    public let outcomes: Conversions
    /// The outcomes of its units among the first ones up to the plan's horizon.
    /// Nil until the last of their windows is over, and always in a sequential test.
    public let atHorizon: Conversions?
    /// Units that received a signature.
    public let signed: Int
    /// Units that redeemed an offer.
    public let redeemed: Int
    /// Units that reached the goal and were refunded. They do not count as converted.
    public let refunded: Int
    /// What the units whose window is over paid, one entry per currency.
    public let revenue: [RevenueSum]

    /// - Returns: nil for impossible counts: negative ones, or more outcomes than exposures.
    public init?(
        id: String,
        name: String? = nil,
        exposed: Int,
        outcomes: Conversions,
        atHorizon: Conversions? = nil,
        signed: Int = 0,
        redeemed: Int = 0,
        refunded: Int = 0,
        revenue: [RevenueSum] = []
    ) {
        guard 0...Conversions.mostUnits ~= exposed, outcomes.units <= exposed, atHorizon.map({ $0.units <= exposed }) ?? true,
            signed >= 0, redeemed >= 0, refunded >= 0
        else { return nil }
        self.id = id
        label = name ?? id
        self.exposed = exposed
        self.outcomes = outcomes
        self.atHorizon = atHorizon
        self.signed = signed
        self.redeemed = redeemed
        self.refunded = refunded
        self.revenue = revenue
    }
}
