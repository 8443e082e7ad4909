/// A condition evaluated for one customer, with the result of each part.
public struct ConditionTrace: Hashable, Sendable {
    /// What is combined or tested.
    public enum Kind: Hashable, Sendable {
        case all, any, not
        case test(ConditionTest)
        case segment(String)
    }

    /// What is combined or tested.
    public let kind: Kind
    /// The field of the campaign, as findings name it; inside a segment, the field of the segment.
    public let path: String
    /// The result.
    public let truth: Truth
    /// The value that a test read; nil if it is unknown, and for anything but a test.
    public let value: ConditionValue?
    /// The parts that are combined.
    public let parts: [ConditionTrace]

    /// Returns the tests that keep the condition from the wanted result; none if it has that result.
    ///
    /// - Parameter isWanted: whether the condition should hold.
    public func obstacles(to isWanted: Bool = true) -> [ConditionTrace] {
        guard truth != (isWanted ? .yes : .no) else { return [] }
        return switch kind {
        case .test: [self]
        case .not: parts.flatMap { $0.obstacles(to: !isWanted) }
        case .all, .any, .segment: parts.flatMap { $0.obstacles(to: isWanted) }
        }
    }
}
