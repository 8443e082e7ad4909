/// One test of a condition, as it was written: which value, how it is compared, with what.
public struct ConditionTest: Hashable, Sendable {
    /// The value that is looked at.
    public enum Subject: Hashable, Sendable {
        /// A fact, by its name, and the subscription group that is meant.
        case fact(String, group: String?)
        /// Something that the caller said, and that nobody has verified.
        case attribute(String)
    }

    /// The value that is looked at.
    public let subject: Subject
    /// How it is compared.
    public let comparison: ConditionOperator
    /// With what.
    public let operand: ConditionValue

    /// Takes the values as they are.
    public init(_ subject: Subject, _ comparison: ConditionOperator, _ operand: ConditionValue) {
        self.subject = subject
        self.comparison = comparison
        self.operand = operand
    }

    /// A test of a fact.
    public init(_ fact: ConditionFact, group: String? = nil, _ comparison: ConditionOperator, _ operand: ConditionValue) {
        self.init(.fact(fact.rawValue, group: group), comparison, operand)
    }
}
