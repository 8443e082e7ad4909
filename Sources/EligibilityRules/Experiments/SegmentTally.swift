/// The counts of the units that share a property known before their exposure.
public struct SegmentTally: Sendable {
    /// The property: `storefront`, `appVersion` or `caller`.
    public let dimension: String
    /// Its value.
    public let value: String
    /// The units exposed, one entry per variant, the control first.
    public let exposed: [Int]
    /// The outcomes of the units whose window is over, in the same order.
    public let outcomes: [Conversions]

    /// - Returns: nil for impossible counts.
    public init?(dimension: String, value: String, exposed: [Int], outcomes: [Conversions]) {
        guard exposed.count == outcomes.count, exposed.allSatisfy({ $0 <= Conversions.mostUnits }),
            zip(exposed, outcomes).allSatisfy({ $0 >= $1.units })
        else { return nil }
        self.dimension = dimension
        self.value = value
        self.exposed = exposed
        self.outcomes = outcomes
    }
}

/// The results of one segment of the units: a hint where to look, never a verdict.
public struct SegmentResults: Sendable {
    /// The counts.
    public let tally: SegmentTally
    /// Wilson's 95 % interval of each variant's rate, for one look.
    public let conversion: [ConfidenceInterval]
    /// The comparison of each variant with the control; nil for the control, with too little data, and where a split is off.
    public let comparisons: [SegmentComparison?]
    /// The p-value of the sample ratio check of this segment, times the number of segments. It is always valid.
    public let sampleRatioP: Double
    /// Whether this segment has a sample ratio mismatch.
    public var isSplitOff: Bool { sampleRatioP <= ExperimentPlan.sampleRatioAlpha }
}
