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
    /// What the units whose window is over paid, one entry per currency.
    public let revenue: [RevenueSum]

    /// - Returns: nil for impossible counts: negative ones, or more outcomes than exposures.
    public init?(
        id: String,
        name: String? = nil,
        exposed: Int,
        outcomes: Conversions,
        atHorizon: Conversions? = nil,
        revenue: [RevenueSum] = []
    ) {
        guard 0...Conversions.mostUnits ~= exposed, outcomes.units <= exposed, atHorizon.map({ $0.units <= exposed }) ?? true
        else { return nil }
        self.id = id
        label = name ?? id
        self.exposed = exposed
        self.outcomes = outcomes
        self.atHorizon = atHorizon
        self.revenue = revenue
    }
}
