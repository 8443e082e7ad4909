/// A point in time: milliseconds since 1970-01-01T00:00:00Z.
public struct Instant: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970.
    public let milliseconds: Int64

    /// Creates an instant.
    ///
    /// - Parameter milliseconds: since 1970.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Returns the instant that is this many milliseconds later, or earlier if the number is negative.
    ///
    /// Where that would overflow, the result is the last or the first instant.
    public func advanced(by milliseconds: Int64) -> Instant {
        let (sum, overflow) = self.milliseconds.addingReportingOverflow(milliseconds)
        return Instant(milliseconds: overflow ? (milliseconds < 0 ? .min : .max) : sum)
    }

    /// Returns the milliseconds from another instant to this one.
    ///
    /// Where that would overflow, the result is the largest or the smallest number.
    public func milliseconds(since other: Instant) -> Int64 {
        let (difference, overflow) = milliseconds.subtractingReportingOverflow(other.milliseconds)
        return overflow ? (milliseconds < other.milliseconds ? .min : .max) : difference
    }

    /// Orders earlier instants first.
    public static func < (left: Instant, right: Instant) -> Bool { left.milliseconds < right.milliseconds }
}
