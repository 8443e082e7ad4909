/// A part of a table of the log that one read looks through. Only the store knows what its bounds mean.
public struct AuditSlice: Equatable, Sendable {
    /// From where to where.
    public let bounds: Range<Int64>

    /// Takes the values as they are.
    public init(_ bounds: Range<Int64>) { self.bounds = bounds }
}
