/// The segments of an app, by id.
public struct Segments: Sendable {
    /// None.
    public static let none = Segments([])

    private let byID: [ExactText: Segment]

    /// - Parameter segments: of those with the same id the first counts.
    public init(_ segments: [Segment]) {
        byID = Dictionary(segments.map { (ExactText($0.id), $0) }, uniquingKeysWith: { first, _ in first })
    }

    private init(_ byID: [ExactText: Segment]) { self.byID = byID }

    /// With one more, which takes the place of another of the same id.
    func with(_ segment: Segment) -> Segments {
        var copy = byID
        copy[ExactText(segment.id)] = segment
        return Segments(copy)
    }

    /// The segment of exactly this id.
    public subscript(_ id: String) -> Segment? { byID[ExactText(id)] }
}
