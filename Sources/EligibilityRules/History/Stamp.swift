/// The time and the source of a statement. It orders facts that change over time.
public struct Stamp: Hashable, Comparable, Sendable {
    /// The App Store's own time of the statement: `signedDate`, or the latest date that an unsigned document shows.
    public let asOf: Instant
    /// Decides between statements of the same instant.
    public let source: Source

    /// Takes the values as they are.
    public init(asOf: Instant, source: Source) {
        self.asOf = asOf
        self.source = source
    }

    /// Orders earlier statements first, and at the same instant less trusted ones.
    public static func < (left: Stamp, right: Stamp) -> Bool {
        left.asOf != right.asOf ? left.asOf < right.asOf : left.source < right.source
    }
}
