/// Evaluates every part of a condition, as it was written, for a customer.
struct ConditionTracer {
    let segments: Segments
    let facts: CustomerFacts
    let attributes: Attributes

    func trace(_ condition: Condition, at path: String, depth: Int = 1) -> ConditionTrace {
        // Conditions that are deeper, including cyclic segments, are not published.
        guard depth <= ConditionCompiler.maxDepth else { return ConditionTrace(.all, path, .unknown) }
        switch condition {
        case .test(let written):
            var findings: [CampaignFinding] = []
            let test = CompiledTest(written, at: path, &findings)
            return ConditionTrace(
                .test(written), path, test?.truth(facts, attributes) ?? .unknown, test?.value(facts, attributes))
        case .not(let part):
            let part = trace(part, at: "\(path).not", depth: depth + 1)
            return ConditionTrace(.not, path, part.truth.denied, parts: [part])
        case .all(let parts):
            let parts = trace(parts, at: "\(path).all", depth)
            return ConditionTrace(.all, path, parts.map(\.truth).min() ?? .yes, parts: parts)
        case .any(let parts):
            let parts = trace(parts, at: "\(path).any", depth)
            return ConditionTrace(.any, path, parts.map(\.truth).max() ?? .no, parts: parts)
        case .segment(let id):
            let part = segments[id].map { trace($0.condition, at: "condition", depth: depth + 1) }
            return ConditionTrace(.segment(id), path, part?.truth ?? .unknown, parts: part.map { [$0] } ?? [])
        }
    }

    private func trace(_ parts: [Condition], at path: String, _ depth: Int) -> [ConditionTrace] {
        parts.enumerated().map { trace($1, at: "\(path)[\($0)]", depth: depth + 1) }
    }
}

extension ConditionTrace {
    fileprivate init(
        _ kind: Kind,
        _ path: String,
        _ truth: Truth,
        _ value: ConditionValue? = nil,
        parts: [ConditionTrace] = []
    ) {
        self.init(kind: kind, path: path, truth: truth, value: value, parts: parts)
    }
}
