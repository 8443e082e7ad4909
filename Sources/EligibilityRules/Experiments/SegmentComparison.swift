/// A variant against the control in one part of the units, corrected for all such comparisons of the page.
public struct SegmentComparison: Sendable {
    /// The variant's share less the control's.
    public let value: Double
    /// Corrected by Bonferroni's method: none of the page's intervals misses its true value with 95 % confidence.
    public let interval: ConfidenceInterval
    /// Corrected by Holm's method. It holds however often one looks in a sequential test, and for one look else.
    public let p: Double
}
