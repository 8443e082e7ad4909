/// The segments of an app, by id.
public struct Segments: Sendable {
    /// None.
    public static let none = Segments([])

    private let byID: [ExactText: Segment]

    /// - Parameter segments: of several with the same id, the first counts.
    public init(_ segments: [Segment]) {
        byID = Dictionary(segments.map { (ExactText($0.id), $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns a copy with a campaign's own segments, which replace others of the same id.
    func with(_ segments: [Segment]) -> Segments { segments.isEmpty ? self : segments.reduce(self) { $0.with($1) } }

    private init(_ byID: [ExactText: Segment]) { self.byID = byID }

    /// Returns a copy with one more segment, which replaces any of the same id.
    func with(_ segment: Segment) -> Segments {
        var copy = byID
        copy[ExactText(segment.id)] = segment
        return Segments(copy)
    }

    /// The segment of exactly this id.
    public subscript(_ id: String) -> Segment? { byID[ExactText(id)] }
}

/// A named condition that campaigns, and other segments, refer to.
public struct Segment: Hashable, Sendable {
    /// Kebab-case; stable.
    public let id: String
    /// The name for display.
    public let name: String
    /// The condition that its customers meet.
    public let condition: Condition
    /// The number of the version that is stored, or was when it was copied; nil for a segment of a file.
    public let version: Int?

    /// Takes the values as they are.
    public init(id: String, name: String, condition: Condition, version: Int? = nil) {
        self.id = id
        self.name = name
        self.condition = condition
        self.version = version
    }
}
