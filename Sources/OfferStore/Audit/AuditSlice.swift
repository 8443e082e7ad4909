/// A part of a log table that one read scans. The store alone defines the meaning of its bounds.
public struct AuditSlice: Equatable, Sendable {
    /// The bounds of the part.
    public let bounds: Range<Int64>

    /// Takes the values as they are.
    public init(_ bounds: Range<Int64>) { self.bounds = bounds }
}
