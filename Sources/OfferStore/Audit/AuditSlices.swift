public import EligibilityRules

/// The parts of a table of the log, to be read one after the other.
public struct AuditSlices: Sendable {
    /// The first first.
    public let slices: [AuditSlice]
    /// How many rows there are in them, at most.
    public let maxRows: Int64
    /// When the first of their rows was written, where there are earlier ones; nil where these are all.
    public let since: Instant?

    /// Takes the values as they are.
    public init(_ slices: [AuditSlice], maxRows: Int64, since: Instant?) {
        self.slices = slices
        self.maxRows = maxRows
        self.since = since
    }

    /// Cuts a stretch of rows that a store counts through.
    package init(_ bounds: Range<Int64>, every length: Int64, since: Instant? = nil) {
        let starts = stride(from: bounds.lowerBound, to: bounds.upperBound, by: Int(length))
        self.init(
            starts.map { AuditSlice($0..<min(bounds.upperBound, $0 + length)) }, maxRows: Int64(bounds.count), since: since)
    }
}
