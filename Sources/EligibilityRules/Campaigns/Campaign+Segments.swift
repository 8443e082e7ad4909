extension Campaign {
    /// The same with each segment's condition in the place of its name; one that is not known, or goes in a circle, stays a name.
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
