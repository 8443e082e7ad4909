/// The results of one variant.
public struct VariantResults: Sendable {
    /// The counts.
    public let tally: VariantTally
    /// Wilson's 95 % interval of the rate, over the units whose window is over; for one look.
    public let conversion: ConfidenceInterval
    /// Revenue per exposed unit, by currency, with Student's 95 % intervals; for one look.
    public let revenue: [RevenueEstimate]
    /// The comparison with the control; nil for the control itself, with too little data, and where the split is off.
    public let comparison: VariantComparison?

    init(_ tally: VariantTally, comparison: VariantComparison?) {
        self.tally = tally
        conversion = tally.outcomes.wilsonInterval()
        revenue = tally.revenue.compactMap { RevenueEstimate($0) }
        self.comparison = comparison
    }
}
