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

    /// Nil also for a number that is not finite.
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
