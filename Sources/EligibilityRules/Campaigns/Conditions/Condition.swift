/// Selects customers by a combination of tests of facts and attributes.
///
/// For one customer a condition holds, does not hold, or is unknown (`Truth`). An empty `all` holds for every customer, and an
/// empty `any` for none.
public indirect enum Condition: Hashable, Sendable {
    /// All of the conditions must hold.
    case all([Condition])
    /// At least one of the conditions must hold.
    case any([Condition])
    /// The condition must not hold.
    ///
    /// If the condition is unknown, so is its negation.
    case not(Condition)
    /// One test.
    case test(ConditionTest)
    /// The condition of the segment with this id must hold.
    case segment(String)
}

extension Condition {
    /// The storefronts that the condition asks for, in order and as written.
    ///
    /// A condition can ask for the storefront of the last purchase, or for the caller's attribute `storefront` or `country`.
    /// Storefronts inside a `not` or a segment are left out.
    public var storefronts: [String] {
        switch self {
        case .all(let parts), .any(let parts): parts.flatMap(\.storefronts)
        case .not, .segment: []
        case .test(let test): test.storefronts
        }
    }
}

extension ConditionTest {
    fileprivate var storefronts: [String] {
        switch subject {
        case .fact(ConditionFact.subscriptionStorefront.rawValue, _), .attribute("storefront"), .attribute("country"): break
        default: return []
        }
        let values: [ConditionValue] = if comparison == .oneOf, case .list(let list) = operand { list } else { [operand] }
        guard comparison == .is || comparison == .oneOf else { return [] }
        return values.compactMap(\.text)
    }
}

/// One test of a condition, as written: the value, the comparison and the operand.
public struct ConditionTest: Hashable, Sendable {
    /// The value that is tested.
    public enum Subject: Hashable, Sendable {
        /// A fact by its name, with the id of a subscription group if the fact needs one.
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

    /// Stores the given values without checking them.
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

/// How a test compares, by its name in a campaign.
public enum ConditionOperator: String, Sendable, CaseIterable {
    /// The same text, number or Boolean.
    case `is`
    /// One of a list of texts or numbers.
    case oneOf
    /// A greater number, not an equal one.
    case above
    /// A smaller number, not an equal one.
    case below
    /// A number of a range, both ends included.
    case between
    /// A value exists (operand `true`), or it is missing (operand `false`).
    ///
    /// No other test can hold for a missing value.
    case exists
    /// A text that begins with the operand.
    case startsWith
    /// A text that contains the operand, or a list that has it as an element.
    case contains
    /// The same app version, or a later one, in the order of Semantic Versioning.
    case versionAtLeast
    /// An earlier time.
    case before
    /// A later time.
    case after

    /// Whether the operator can test facts of a kind.
    public func fits(_ kind: ConditionFact.Kind) -> Bool {
        switch self {
        case .exists: true
        case .is: kind != .texts
        case .oneOf: kind == .text || kind == .number
        case .above, .below, .between: kind == .number
        case .startsWith: kind == .text
        case .contains: kind == .text || kind == .texts
        // No fact is a version or a time: where time matters, facts count days.
        case .versionAtLeast, .before, .after: false
        }
    }
}

/// A value in a test: a fact, an attribute or an operand.
public enum ConditionValue: Hashable, Sendable {
    /// Compared byte by byte.
    case text(String)
    /// A finite number.
    case number(Double)
    /// True or false.
    case boolean(Bool)
    /// A list of values; for a fact, of texts.
    case list([ConditionValue])

    /// Texts are equal only if their bytes are, as everywhere in conditions.
    public static func == (left: ConditionValue, right: ConditionValue) -> Bool {
        switch (left, right) {
        case (.text(let left), .text(let right)): ExactText(left) == ExactText(right)
        case (.number(let left), .number(let right)): left == right
        case (.boolean(let left), .boolean(let right)): left == right
        case (.list(let left), .list(let right)): left == right
        default: false
        }
    }

    /// Hashes the bytes of texts.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .text(let text): hasher.combine(ExactText(text))
        case .number(let number): hasher.combine(number)
        case .boolean(let boolean): hasher.combine(boolean)
        case .list(let list): hasher.combine(list)
        }
    }

    var text: String? { if case .text(let text) = self { text } else { nil } }

    /// The number; nil also if it is not finite.
    var number: Double? { if case .number(let number) = self, number.isFinite { number } else { nil } }

    var boolean: Bool? { if case .boolean(let boolean) = self { boolean } else { nil } }
}

extension ConditionValue: ExpressibleByStringLiteral, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral
{
    /// A text.
    public init(stringLiteral value: String) { self = .text(value) }

    /// A number.
    public init(floatLiteral value: Double) { self = .number(value) }

    /// A number.
    public init(integerLiteral value: Int) { self = .number(Double(value)) }

    /// True or false.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }

    /// A list.
    public init(arrayLiteral elements: ConditionValue...) { self = .list(elements) }
}
