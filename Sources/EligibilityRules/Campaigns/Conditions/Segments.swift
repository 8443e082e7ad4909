/// The segments of an app, by id.
public struct Segments: Sendable {
    /// No segments.
    public static let none = Segments([])

    private let byID: [ExactText: Segment]

    /// Indexes segments by id.
    ///
    /// - Parameter segments: if several have the same id, the first of them counts.
    public init(_ segments: [Segment]) {
        byID = Dictionary(segments.map { (ExactText($0.id), $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns a copy to which a campaign's own copies of segments are added; they replace segments with the same id.
    func with(_ segments: [Segment]) -> Segments { segments.isEmpty ? self : segments.reduce(self) { $0.with($1) } }

    private init(_ byID: [ExactText: Segment]) { self.byID = byID }

    /// Returns a copy to which one segment is added; it replaces a segment with the same id.
    func with(_ segment: Segment) -> Segments {
        var copy = byID
        copy[ExactText(segment.id)] = segment
        return Segments(copy)
    }

    /// The segment with this id, compared byte by byte; nil if there is none.
    public subscript(_ id: String) -> Segment? { byID[ExactText(id)] }
}

/// A named condition that campaigns, and other segments, refer to.
public struct Segment: Hashable, Sendable {
    /// The segment's id in kebab-case, which never changes.
    public let id: String
    /// The name for display.
    public let name: String
    /// The condition that a customer of the segment meets.
    public let condition: Condition
    /// The number of the stored version, or of the version that was copied; nil for a segment that comes from a file.
    public let version: Int?

    /// Stores the given values without checking them.
    public init(id: String, name: String, condition: Condition, version: Int? = nil) {
        self.id = id
        self.name = name
        self.condition = condition
        self.version = version
    }
}
