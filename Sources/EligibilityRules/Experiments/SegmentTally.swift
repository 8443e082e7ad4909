/// The counts of the units that share a trait, which was known when they were exposed.
public struct SegmentTally: Sendable {
    /// The kind of the trait: `storefront`, `appVersion` or `caller`.
    public let dimension: String
    /// The value that these units share.
    public let value: String
    /// How many units were exposed; one entry per variant, the control first.
    public let exposed: [Int]
    /// The outcomes of the units whose window is over, in the same order.
    public let outcomes: [Conversions]

    /// Creates the counts of a segment; nil if they contradict each other, as more outcomes than exposures do.
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

/// The results of one segment of the units, which are a hint where to look, never a verdict.
public struct SegmentResults: Sendable {
    /// The counts.
    public let tally: SegmentTally
    /// Wilson's 95 % interval of each variant's rate; valid if it is read once.
    public let conversion: [ConfidenceInterval]
    /// The comparison of each variant with the control.
    ///
    /// Nil for the control, if there is too little data, and if the units of the experiment are not split as planned.
    public let comparisons: [SegmentComparison?]
    /// The p-value of this segment's sample ratio check, multiplied by the number of segments.
    ///
    /// It is valid however often it is read.
    public let sampleRatioP: Double
    /// Whether this segment has a sample ratio mismatch.
    public var isSplitOff: Bool { sampleRatioP <= ExperimentPlan.sampleRatioAlpha }
}
