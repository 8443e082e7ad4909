/// The value of an attribute. An attribute is something that the app knows about a customer, such as the country. The audience of
/// a campaign can have conditions on attributes.
public enum AttributeValue: Encodable, Equatable, Sendable, ExpressibleByStringLiteral, ExpressibleByFloatLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral
{
    /// A text.
    case text(String)
    /// A finite number.
    case number(Double)
    /// A Boolean.
    case flag(Bool)

    /// Makes a text from a literal such as `"US"`.
    public init(stringLiteral value: String) { self = .text(value) }
    /// Makes a number from a literal such as `0.5`.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// Makes a number from a literal such as `3`.
    public init(integerLiteral value: Int) { self = .number(Double(value)) }
    /// Makes a Boolean from `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .flag(value) }

    /// Writes the value itself, without the name of the case, as the API expects it.
    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .text(let text): try value.encode(text)
        case .number(let number): try value.encode(number)
        case .flag(let flag): try value.encode(flag)
        }
    }
}
