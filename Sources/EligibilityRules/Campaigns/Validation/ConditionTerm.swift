/// A test with a required result: it holds, or, where denied, it is known not to hold.
struct ConditionLiteral: Hashable, Sendable {
    let test: CompiledTest
    let isDenied: Bool

    /// The required result of the test.
    var expected: Truth { isDenied ? .no : .yes }
}

/// One way in which a condition can hold: all these literals together.
typealias ConditionTerm = [ConditionLiteral]

extension CompiledCondition {
    /// The most ways that are examined. A condition with more is assumed to be able to hold.
    private static let maxTerms = 256

    /// Returns all ways in which it can hold, or be known not to hold; nil if there are too many.
    func terms(denied: Bool = false) -> [ConditionTerm]? {
        switch self {
        case .not(let part): part.terms(denied: !denied)
        case .test(let test): test.literals(denied: denied).map { [$0] }
        case .all(let parts): denied ? Self.sum(parts, denied) : Self.product(parts, denied)
        case .any(let parts): denied ? Self.product(parts, denied) : Self.sum(parts, denied)
        }
    }

    private static func sum(_ parts: [CompiledCondition], _ denied: Bool) -> [ConditionTerm]? {
        var sum: [ConditionTerm] = []
        for part in parts {
            guard let terms = part.terms(denied: denied), sum.count + terms.count <= maxTerms else { return nil }
            sum += terms
        }
        return sum
    }

    private static func product(_ parts: [CompiledCondition], _ denied: Bool) -> [ConditionTerm]? {
        var product: [ConditionTerm] = [[]]
        for part in parts {
            guard let terms = part.terms(denied: denied), product.count * terms.count <= maxTerms else { return nil }
            product = product.flatMap { left in terms.map { left + $0 } }
        }
        return product
    }
}

extension CompiledTest {
    /// Returns the literals of which one must hold.
    fileprivate func literals(denied: Bool) -> [ConditionLiteral] {
        switch test {
        case .exists(let isWanted) where denied:
            // Whether a value exists is always known.
            [ConditionLiteral(test: CompiledTest(subject: subject, test: .exists(!isWanted)), isDenied: false)]
        case .number(.between(let low, let high)) where denied:
            [.below(low), .above(high)].map { (test: NumberTest) in
                ConditionLiteral(test: CompiledTest(subject: subject, test: .number(test)), isDenied: false)
            }
        default: [ConditionLiteral(test: self, isDenied: denied)]
        }
    }
}
