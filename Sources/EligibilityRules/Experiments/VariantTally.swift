/// What was counted of one variant. Units that saw two variants are counted in neither.
public struct VariantTally: Sendable {
    /// The variant.
    public let id: String
    /// Units exposed to it, those whose window is open included.
    public let exposed: Int
    /// What became of the units whose window is over.
    public let outcomes: Conversions
    /// What became of those among the first units of all variants, up to the plan's horizon; nil until the last of their windows is
    /// over, and always in a sequential test.
    public let atHorizon: Conversions?
    /// Units that were given a signature.
    public let signed: Int
    /// Units that redeemed an offer.
    public let redeemed: Int
    /// Units that reached the goal and were refunded: they are not among the converted.
    public let refunded: Int
    /// What the units whose window is over paid, a place for each currency.
    public let revenue: [RevenueSum]

    /// - Returns: nil for counts that cannot be: negative ones, and more units whose window is over than exposed.
    public init?(
        id: String,
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
        self.exposed = exposed
        self.outcomes = outcomes
        self.atHorizon = atHorizon
        self.signed = signed
        self.redeemed = redeemed
        self.refunded = refunded
        self.revenue = revenue
    }
}
