/// An audience as a sequence of conditions, to count how many customers each of them leaves.
///
/// Only the purchases of stored customers are known. Conditions on attributes are therefore left out, and the counts are upper
/// bounds.
public struct AudienceFunnel: Sendable {
    /// One of the conditions that a customer must all meet to be in the audience.
    public struct Stage: Sendable {
        /// The path of the condition in the campaign, as in `audience.all[1]`.
        public let path: String
        /// The condition as it was written, but with segments replaced by their conditions and without attributes.
        public let condition: Condition

        /// Evaluates every part of the condition for a customer.
        public func trace(_ facts: CustomerFacts) -> ConditionTrace {
            ConditionTracer(segments: .none, facts: facts, attributes: .none).trace(condition, at: path)
        }
    }

    /// The conditions in the order in which they were written; empty if every customer fits.
    public let stages: [Stage]
    /// The attributes that the audience tests, each once, in the order in which they were written.
    public let attributes: [String]
    /// Whether the conditions read more of a history than its summary holds (`PurchaseChain.summary(from:)`).
    public let needsWholeHistory: Bool
    private let compiled: [CompiledCondition]

    /// The error that an audience cannot be compiled.
    public struct Unreadable: Error, Sendable {
        /// What is wrong with the audience; never empty.
        public let findings: [CampaignFinding]
    }

    /// Compiles the conditions of an audience.
    ///
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

    /// Returns how many stages a customer passes before one excludes the customer.
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
    /// Returns the condition without tests of attributes, which are known only when a customer asks.
    ///
    /// The result is an upper bound: it holds for every customer for whom the condition may hold. Inside a `not` (`isNegated`) it
    /// must be a lower bound, because the `not` turns it into an upper bound again: it holds only for customers for whom the
    /// condition holds, whatever their attributes are.
    ///
    /// The result is nil if the remaining tests set no such bound, for example if the condition tests only attributes. The names
    /// of the attributes are added to `names`.
    fileprivate func withoutAttributes(
        in segments: Segments,
        isNegated: Bool = false,
        depth: Int = 1,
        _ names: inout [String]
    ) -> Condition? {
        // A condition that is nested deeper is left as it is, so that the compiler reports it.
        guard depth <= ConditionCompiler.maxDepth else { return self }
        switch self {
        case .test(let test):
            guard case .attribute(let name) = test.subject else { return self }
            if !names.contains(where: { ExactText($0) == ExactText(name) }) { names.append(name) }
            return nil
        case .not(let part):
            return part.withoutAttributes(in: segments, isNegated: !isNegated, depth: depth + 1, &names).map(Condition.not)
        case .all(let parts), .any(let parts):
            let known = parts.compactMap {
                $0.withoutAttributes(in: segments, isNegated: isNegated, depth: depth + 1, &names)
            }
            let isAll = if case .all = self { true } else { false }
            // An `all` with fewer parts is still an upper bound, and an `any` with fewer parts is still a lower bound.
            let mayLoseParts = isAll != isNegated
            guard known.count == parts.count || mayLoseParts && !known.isEmpty else { return nil }
            return isAll ? .all(known) : .any(known)
        case .segment(let id):
            guard let segment = segments[id] else { return self }
            return segment.condition.withoutAttributes(in: segments, isNegated: isNegated, depth: depth + 1, &names)
        }
    }
}
