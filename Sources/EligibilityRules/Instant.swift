/// A point in time: milliseconds since 1970-01-01T00:00:00Z.
public struct Instant: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970.
    public let milliseconds: Int64

    /// - Parameter milliseconds: since 1970.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// The instant so many milliseconds later (or, negative, earlier).
    public func advanced(by milliseconds: Int64) -> Instant { Instant(milliseconds: self.milliseconds + milliseconds) }

    /// Earlier before later.
    public static func < (left: Instant, right: Instant) -> Bool { left.milliseconds < right.milliseconds }
}
