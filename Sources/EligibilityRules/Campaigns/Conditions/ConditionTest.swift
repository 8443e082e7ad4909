/// One test of a condition, as written: the value, the comparison and the operand.
public struct ConditionTest: Hashable, Sendable {
    /// The value that is tested.
    public enum Subject: Hashable, Sendable {
        /// A fact, by its name, and its subscription group.
        case fact(String, group: String?)
        /// An unverified attribute from the caller.
        case attribute(String)
    }

    /// The value that is tested.
    public let subject: Subject
    /// How it is compared.
    public let comparison: ConditionOperator
    /// What it is compared with.
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
