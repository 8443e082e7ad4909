/// Compiles conditions: resolves names, parses operands and replaces segments by their conditions.
///
/// Each fault becomes a finding.
struct ConditionCompiler {
    /// The greatest depth of nested groups, including those of segments.
    static let maxDepth = 12
    /// The greatest number of tests and groups, including those of segments.
    static let maxCount = 500

    let segments: Segments
    private(set) var findings: [CampaignFinding] = []
    private var count = 0
    // The segments that are being substituted, the outermost first.
    private var open: [String]

    /// - Parameter id: the segment whose condition is compiled, so that a reference to itself is found; nil for a campaign.
    init(segments: Segments, within id: String? = nil) {
        self.segments = segments
        open = id.map { [$0] } ?? []
    }

    /// Returns the compiled condition; nil if it, or any part of it, has a fault.
    ///
    /// - Parameter path: the path of the condition in its campaign or segment.
    mutating func compile(_ condition: Condition, at path: String, depth: Int = 1) -> CompiledCondition? {
        count += 1
        guard count <= Self.maxCount, depth <= Self.maxDepth else {
            if !findings.contains(where: { $0.code == .tooLarge }) { findings.append(.tooLarge(at: path)) }
            return nil
        }
        switch condition {
        case .test(let test): return CompiledTest(test, at: path, &findings).map(CompiledCondition.test)
        case .not(let part): return compile(part, at: "\(path).not", depth: depth + 1).map(CompiledCondition.not)
        case .all(let parts): return compile(parts, at: "\(path).all", depth).map(CompiledCondition.all)
        case .any(let parts): return compile(parts, at: "\(path).any", depth).map(CompiledCondition.any)
        case .segment(let id): return compile(segment: id, at: path, depth)
        }
    }

    private mutating func compile(_ parts: [Condition], at path: String, _ depth: Int) -> [CompiledCondition]? {
        guard !parts.isEmpty else {
            findings.append(
                CampaignFinding(path, .emptyGroup, "This group has no condition. Add one, or remove the group."))
            return nil
        }
        var compiled: [CompiledCondition] = []
        for (index, part) in parts.enumerated() {
            if let part = compile(part, at: "\(path)[\(index)]", depth: depth + 1) { compiled.append(part) }
        }
        return compiled.count == parts.count ? compiled : nil
    }

    private mutating func compile(segment id: String, at path: String, _ depth: Int) -> CompiledCondition? {
        guard let segment = segments[id] else {
            findings.append(
                CampaignFinding(
                    "\(path).segment", .unknownSegment, "The segment `\(id)` does not exist. Save it first, or correct its id."))
            return nil
        }
        guard !open.contains(where: { ExactText($0) == ExactText(id) }) else {
            findings.append(
                CampaignFinding(
                    "\(path).segment", .segmentCycle,
                    "The segments refer to each other in a circle: \((open + [id]).joined(separator: " → ")). Remove one of them."
                ))
            return nil
        }
        open.append(id)
        defer { open.removeLast() }
        // A fault inside a segment is reported at the place that names the segment, because the path inside the segment means
        // nothing in this campaign.
        let known = findings.count
        let compiled = compile(segment.condition, at: path, depth: depth + 1)
        let inside = findings[known...].map { $0.inside(segment: id, at: "\(path).segment") }
        findings.replaceSubrange(known..., with: inside)
        return compiled
    }
}
