/// One line of an experiment's results.
public struct VariantResults: Sendable {
    /// What was counted.
    public let tally: VariantTally
    /// Wilson's 95 % interval of the share that reached the goal, of the units whose window is over; for one look.
    public let conversion: ConfidenceInterval
    /// Revenue per exposed unit, by currency, with Student's 95 % intervals; for one look.
    public let revenue: [RevenueEstimate]
    /// Against the control; nil for the control itself, where there is too little data, and where the split is off.
    public let comparison: VariantComparison?

    init(_ tally: VariantTally, comparison: VariantComparison?) {
        self.tally = tally
        conversion = tally.outcomes.wilsonInterval()
        revenue = tally.revenue.compactMap { RevenueEstimate($0) }
        self.comparison = comparison
    }
}
