/// An audience as it narrows, condition by condition, as far as purchases show.
///
/// Conditions on attributes are left out, so that its counts are upper bounds.
public struct AudienceFunnel: Sendable {
    /// A condition that narrows the audience. All of them together are the audience.
    public struct Stage: Sendable {
        /// The path in the campaign, as in `audience.all[1]`.
        public let path: String
        /// The condition as it was written, without attributes.
        public let condition: Condition

        /// Evaluates every part of it for a customer.
        public func trace(_ facts: CustomerFacts) -> ConditionTrace {
            ConditionTracer(segments: .none, facts: facts, attributes: .none).trace(condition, at: path)
        }
    }

    /// In the order in which they were written; empty if every customer fits.
    public let stages: [Stage]
    /// The attributes that the audience tests, each once, in the order in which they were written.
    public let attributes: [String]
    /// Whether it reads more than the part of a history that decides about offers.
    public let needsWholeHistory: Bool
    private let compiled: [CompiledCondition]

    /// The faults of an audience.
    public struct Unreadable: Error, Sendable {
        /// Not empty.
        public let findings: [CampaignFinding]
    }

    /// - Parameter audience: nil admits every customer.
    public init(_ audience: Condition?, segments: Segments) throws(Unreadable) {
        var names: [String] = []
        let parts: [(path: String, condition: Condition)] =
            switch audience {
            case nil: []
            case .all(let parts)?: parts.enumerated().map { ("audience.all[\($0)]", $1) }
            case let other?: [("audience", other)]
            }
        var (stages, compiled, findings): ([Stage], [CompiledCondition], [CampaignFinding]) = ([], [], [])
        for (path, condition) in parts {
            guard let known = condition.withoutAttributes(in: segments, &names) else { continue }
            var compiler = ConditionCompiler(segments: segments)
            guard let program = compiler.compile(known, at: path) else {
                findings += compiler.findings
                continue
            }
            stages.append(Stage(path: path, condition: known))
            compiled.append(program)
        }
        guard findings.isEmpty else { throw Unreadable(findings: findings) }
        self.stages = stages
        self.compiled = compiled
        attributes = names
        var table = TestTable()
        for program in compiled { _ = AudienceProgram(program, &table) }
        needsWholeHistory = table.asksForMoreThanSummary
    }

    /// Returns how many stages a customer passes before the first that excludes them.
    public func passes(_ facts: borrowing CustomerFacts) -> Int {
        for (index, condition) in compiled.enumerated() where condition.truth(facts, .none) != .yes { return index }
        return compiled.count
    }

    /// Returns the indices of the stages that exclude a customer.
    public func obstacles(_ facts: borrowing CustomerFacts) -> [Int] {
        var indices: [Int] = []
        for (index, condition) in compiled.enumerated() where condition.truth(facts, .none) != .yes { indices.append(index) }
        return indices
    }
}

extension Condition {
    /// Returns the condition without attributes, or nil if nothing is left that could exclude a customer.
    fileprivate func withoutAttributes(in segments: Segments, depth: Int = 1, _ names: inout [String]) -> Condition? {
        // Deeper conditions are not published. The compiler reports them.
        guard depth <= ConditionCompiler.maxDepth else { return self }
        switch self {
        case .test(let test):
            guard case .attribute(let name) = test.subject else { return self }
            if !names.contains(where: { ExactText($0) == ExactText(name) }) { names.append(name) }
            return nil
        case .not(let part): return part.withoutAttributes(in: segments, depth: depth + 1, &names).map(Condition.not)
        case .all(let parts):
            let known = parts.compactMap { $0.withoutAttributes(in: segments, depth: depth + 1, &names) }
            return known.isEmpty && !parts.isEmpty ? nil : .all(known)
        case .any(let parts):
            let known = parts.compactMap { $0.withoutAttributes(in: segments, depth: depth + 1, &names) }
            return known.count < parts.count ? nil : .any(known)
        case .segment(let id):
            guard let segment = segments[id] else { return self }
            return segment.condition.withoutAttributes(in: segments, depth: depth + 1, &names)
        }
    }
}
