/// A test with a required result: the test must hold or, if `isDenied`, must be known not to hold.
struct ConditionLiteral: Hashable, Sendable {
    let test: CompiledTest
    let isDenied: Bool

    /// The required result of the test.
    var expected: Truth { isDenied ? .no : .yes }
}

/// One way in which a condition can hold: if all of these literals hold together.
typealias ConditionTerm = [ConditionLiteral]

extension CompiledCondition {
    /// The most terms that are examined.
    ///
    /// A condition with more terms is assumed to be able to hold.
    private static let maxTerms = 256

    /// Returns all ways in which the condition can hold; nil if there are too many.
    ///
    /// - Parameter denied: true for the ways in which the condition can be known not to hold.
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
    /// Returns literals of which one must hold so that the test holds or, if `denied`, is known not to hold.
    fileprivate func literals(denied: Bool) -> [ConditionLiteral] {
        switch test {
        case .exists(let isWanted) where denied:
            // It is always known whether a value exists, so that the opposite test says the same.
            [ConditionLiteral(test: CompiledTest(subject: subject, test: .exists(!isWanted)), isDenied: false)]
        case .number(.between(let low, let high)) where denied:
            [.below(low), .above(high)].map { (test: NumberTest) in
                ConditionLiteral(test: CompiledTest(subject: subject, test: .number(test)), isDenied: false)
            }
        default: [ConditionLiteral(test: self, isDenied: denied)]
        }
    }
}
