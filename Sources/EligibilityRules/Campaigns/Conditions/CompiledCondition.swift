/// A condition whose names are resolved and whose segments are replaced by their conditions.
indirect enum CompiledCondition: Hashable, Sendable {
    case all([CompiledCondition])
    case any([CompiledCondition])
    case not(CompiledCondition)
    case test(CompiledTest)

    /// Returns whether the condition holds, and skips the parts that can no longer change the result.
    func truth(_ facts: borrowing CustomerFacts, _ attributes: borrowing Attributes) -> Truth {
        switch self {
        case .test(let test): return test.truth(facts, attributes)
        case .not(let part): return part.truth(facts, attributes).denied
        case .all(let parts):
            var least = Truth.yes
            for part in parts {
                least = min(least, part.truth(facts, attributes))
                if least == .no { return .no }
            }
            return least
        case .any(let parts):
            var greatest = Truth.no
            for part in parts {
                greatest = max(greatest, part.truth(facts, attributes))
                if greatest == .yes { return .yes }
            }
            return greatest
        }
    }
}
