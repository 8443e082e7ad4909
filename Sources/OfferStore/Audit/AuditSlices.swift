public import EligibilityRules

/// The parts of a log table, to be read in order.
public struct AuditSlices: Sendable {
    /// The parts in order.
    public let slices: [AuditSlice]
    /// The maximum number of rows in the parts.
    public let maxRows: Int64
    /// When the first row of these parts was written; nil if they contain all rows of the table.
    public let since: Instant?

    /// Stores the given values without checking them.
    public init(_ slices: [AuditSlice], maxRows: Int64, since: Instant?) {
        self.slices = slices
        self.maxRows = maxRows
        self.since = since
    }

    /// Cuts a range of row numbers into parts of a length.
    package init(_ bounds: Range<Int64>, every length: Int64, since: Instant? = nil) {
        let starts = stride(from: bounds.lowerBound, to: bounds.upperBound, by: Int(length))
        self.init(
            starts.map { AuditSlice($0..<min(bounds.upperBound, $0 + length)) }, maxRows: Int64(bounds.count), since: since)
    }
}

/// A part of a log table that one read scans. The store alone defines the meaning of its bounds.
public struct AuditSlice: Equatable, Sendable {
    /// The bounds of the part.
    public let bounds: Range<Int64>

    /// Stores the given values without checking them.
    public init(_ bounds: Range<Int64>) { self.bounds = bounds }
}
