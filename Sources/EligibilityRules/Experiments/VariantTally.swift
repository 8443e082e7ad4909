/// The counts of one variant.
///
/// A unit that saw two variants is counted in neither.
public struct VariantTally: Sendable {
    /// The variant's id.
    public let id: String
    /// The variant's name, or its id if it has no name.
    public let label: String
    /// How many units were exposed to the variant, including those whose window is still open.
    public let exposed: Int
    /// The outcomes of the units whose window is over.
    public let outcomes: Conversions
    /// The outcomes of the variant's units among the first units, whose number the plan's fixed horizon sets.
    ///
    /// Nil until the windows of all these first units are over, and always in a sequential test.
    public let atHorizon: Conversions?
    /// What the units whose window is over paid; one entry per currency.
    public let revenue: [RevenueSum]
    /// What these units paid in the goal's currency, each at most as much as the goal counts; nil unless the goal is revenue.
    public let goalRevenue: RevenueSum?
    /// The same of the units in `atHorizon`.
    public let goalRevenueAtHorizon: RevenueSum?

    /// Creates the counts of a variant; nil if they contradict each other, as more outcomes than exposures do.
    public init?(
        id: String,
        name: String? = nil,
        exposed: Int,
        outcomes: Conversions,
        atHorizon: Conversions? = nil,
        revenue: [RevenueSum] = [],
        goalRevenue: (all: RevenueSum?, atHorizon: RevenueSum?) = (nil, nil)
    ) {
        guard 0...Conversions.mostUnits ~= exposed, outcomes.units <= exposed, atHorizon.map({ $0.units <= exposed }) ?? true
        else { return nil }
        self.id = id
        label = name ?? id
        self.exposed = exposed
        self.outcomes = outcomes
        self.atHorizon = atHorizon
        self.revenue = revenue
        (self.goalRevenue, goalRevenueAtHorizon) = goalRevenue
    }
}
