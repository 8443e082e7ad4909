extension Campaign {
    /// Returns the campaign with each segment's condition in place of its id.
    ///
    /// The id of an unknown segment remains, and so does an id where segments refer to each other in a circle.
    public func withSegmentsPutIn(_ segments: Segments) -> Campaign {
        var copy = self
        copy.audience = audience?.withSegmentsPutIn(segments)
        return copy
    }
}

extension Campaign {
    /// Returns the campaign with copies of the segments that its audience names, directly or through other segments.
    ///
    /// - Parameter sources: where to look for a segment, in this order. A segment that is in none of them is left out.
    public func withSegments(from sources: [Segments]) -> Campaign {
        var copy = self
        var (found, open): ([ExactText: Segment], [String]) = ([:], audience?.segmentIDs ?? [])
        while let id = open.popLast() {
            guard found[ExactText(id)] == nil, let segment = sources.lazy.compactMap({ $0[id] }).first else { continue }
            found[ExactText(id)] = segment
            open += segment.condition.segmentIDs
        }
        copy.segments = found.sorted { $0.key < $1.key }.map(\.value)
        return copy
    }
}

extension Condition {
    /// The ids of the segments that the condition names directly, in the order in which they are written.
    public var segmentIDs: [String] {
        switch self {
        case .test: []
        case .not(let part): part.segmentIDs
        case .all(let parts), .any(let parts): parts.flatMap(\.segmentIDs)
        case .segment(let id): [id]
        }
    }

    /// Returns the condition with each segment's condition in place of its id.
    ///
    /// The id of an unknown segment remains, and so does an id where segments refer to each other in a circle.
    public func withSegmentsPutIn(_ segments: Segments) -> Condition { withSegmentsPutIn(segments, inside: []) }

    private func withSegmentsPutIn(_ segments: Segments, inside open: [ExactText]) -> Condition {
        switch self {
        case .test: return self
        case .not(let part): return .not(part.withSegmentsPutIn(segments, inside: open))
        case .all(let parts): return .all(parts.map { $0.withSegmentsPutIn(segments, inside: open) })
        case .any(let parts): return .any(parts.map { $0.withSegmentsPutIn(segments, inside: open) })
        case .segment(let id):
            guard let segment = segments[id], !open.contains(ExactText(id)) else { return self }
            return segment.condition.withSegmentsPutIn(segments, inside: open + [ExactText(id)])
        }
    }
}
