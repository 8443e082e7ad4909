/// One line about a part of the units: a hint where to look, never a verdict.
public struct SegmentResults: Sendable {
    /// What was counted.
    public let tally: SegmentTally
    /// Wilson's 95 % interval of each variant's share, for one look.
    public let conversion: [ConfidenceInterval]
    /// Against the control, a place for each variant; nil for the control, where there is too little data, and where a split is off.
    public let comparisons: [SegmentComparison?]
    /// The p-value of the sample-ratio check of this part, times the number of parts: it holds however often one looks.
    public let sampleRatioP: Double
    /// Whether this part is not split as planned.
    public var isSplitOff: Bool { sampleRatioP <= ExperimentPlan.sampleRatioAlpha }
}
