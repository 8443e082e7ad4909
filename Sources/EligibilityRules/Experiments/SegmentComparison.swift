/// The comparison of a variant with the control in one segment, corrected for all such comparisons of the page.
public struct SegmentComparison: Sendable {
    /// The variant's rate minus the control's.
    public let value: Double
    /// Corrected by Bonferroni's method. With 95 % confidence, none of the page's intervals misses its true value.
    public let interval: ConfidenceInterval
    /// Corrected by Holm's method. It is always valid in a sequential test, and otherwise valid for one look.
    public let p: Double
}
