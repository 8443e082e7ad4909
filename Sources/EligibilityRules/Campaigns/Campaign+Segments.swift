extension Campaign {
    /// Returns the campaign with each segment's condition in place of its id. An unknown or cyclic segment remains an id.
    public func withSegmentsPutIn(_ segments: Segments) -> Campaign {
        var copy = self
        copy.audience = audience?.withSegmentsPutIn(segments, inside: [])
        return copy
    }
}

extension Condition {
    fileprivate func withSegmentsPutIn(_ segments: Segments, inside open: [ExactText]) -> Condition {
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
