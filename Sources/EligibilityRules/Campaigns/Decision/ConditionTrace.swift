/// A condition as it was put to one customer: what came of each of its parts.
public struct ConditionTrace: Hashable, Sendable {
    /// What is joined or tested.
    public enum Kind: Hashable, Sendable {
        case all, any, not
        case test(ConditionTest)
        case segment(String)
    }

    /// What is joined or tested.
    public let kind: Kind
    /// The field of the campaign, as findings name it; inside a segment that of the segment.
    public let path: String
    /// What came of it.
    public let truth: Truth
    /// What a test looked at; nil where it is not known, and for what is no test.
    public let value: ConditionValue?
    /// What is joined.
    public let parts: [ConditionTrace]

    /// The tests that keep the condition from holding, or from not holding; none where it comes out as wished.
    ///
    /// - Parameter wish: whether it should hold.
    public func obstacles(to wish: Bool = true) -> [ConditionTrace] {
        guard truth != (wish ? .yes : .no) else { return [] }
        return switch kind {
        case .test: [self]
        case .not: parts.flatMap { $0.obstacles(to: !wish) }
        case .all, .any, .segment: parts.flatMap { $0.obstacles(to: wish) }
        }
    }
}
