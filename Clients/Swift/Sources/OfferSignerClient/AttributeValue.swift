/// The value of an attribute: what the app knows of a customer, for the conditions of campaigns.
public enum AttributeValue: Encodable, Equatable, Sendable, ExpressibleByStringLiteral, ExpressibleByFloatLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral
{
    /// A text.
    case text(String)
    /// A finite number.
    case number(Double)
    /// A Boolean.
    case flag(Bool)

    /// Takes a text.
    public init(stringLiteral value: String) { self = .text(value) }
    /// Takes a number.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// Takes a number.
    public init(integerLiteral value: Int) { self = .number(Double(value)) }
    /// Takes a Boolean.
    public init(booleanLiteral value: Bool) { self = .flag(value) }

    /// Writes the bare value.
    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .text(let text): try value.encode(text)
        case .number(let number): try value.encode(number)
        case .flag(let flag): try value.encode(flag)
        }
    }
}
