/// Evaluates every part of a condition, as it was written, for a customer.
struct ConditionTracer {
    let segments: Segments
    let facts: CustomerFacts
    let attributes: Attributes

    func trace(_ condition: Condition, at path: String, depth: Int = 1) -> ConditionTrace {
        // No published condition is nested deeper. A deeper one, such as a segment that names itself, counts as unknown.
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

/// A condition evaluated for one customer, with the result of each part.
public struct ConditionTrace: Hashable, Sendable {
    /// How a condition combines its parts, or what it tests.
    public enum Kind: Hashable, Sendable {
        case all, any, not
        case test(ConditionTest)
        case segment(String)
    }

    /// How the condition combines its parts, or what it tests.
    public let kind: Kind
    /// The path of the condition in the campaign, as findings give it; inside a segment, the path in the segment.
    public let path: String
    /// Whether the condition holds for the customer.
    public let truth: Truth
    /// The value that a test has read; nil if the value is unknown, or if the condition is not a test.
    public let value: ConditionValue?
    /// The results of the parts; for a segment, that of its condition.
    public let parts: [ConditionTrace]

    /// Returns the tests because of which the condition does not have the wanted result; empty if it has that result.
    ///
    /// - Parameter isWanted: true if the condition should hold, false if it should not.
    public func obstacles(to isWanted: Bool = true) -> [ConditionTrace] {
        guard truth != (isWanted ? .yes : .no) else { return [] }
        return switch kind {
        case .test: [self]
        case .not: parts.flatMap { $0.obstacles(to: !isWanted) }
        case .all, .any, .segment: parts.flatMap { $0.obstacles(to: isWanted) }
        }
    }
}
