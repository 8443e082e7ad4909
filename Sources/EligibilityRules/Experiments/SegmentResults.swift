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
