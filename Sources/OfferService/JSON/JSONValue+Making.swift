package import EligibilityRules
package import OfferStore
package import WireText

extension JSONValue {
    /// An object of these members. Members that are nil are left out.
    package static func members(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        .object(members.compactMap { name, value in value.map { Member(name: name, value: $0) } })
    }

    /// A text; `null` if it is nil.
    package static func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

    /// An instant in ms since 1970; `null` if it is nil.
    package static func instant(_ instant: Instant?) -> JSONValue { instant.map { .number("\($0.milliseconds)") } ?? .null }

    package static func texts(_ texts: some Sequence<String>) -> JSONValue { .array(texts.map(JSONValue.string)) }

    /// A whole number; `null` if it is nil.
    package static func integer(_ number: (some BinaryInteger)?) -> JSONValue { number.map { .number("\($0)") } ?? .null }

    /// True or false; `null` if it is not known.
    package static func flag(_ flag: Bool?) -> JSONValue { flag.map(JSONValue.bool) ?? .null }
}

extension JSONValue {
    /// The member of this name if it is a text; nil if it is absent or anything else.
    func memberText(_ name: String) -> String? { if case .string(let text)? = member(name) { text } else { nil } }

    /// The member of this name if it is a whole number; nil if it is absent or anything else.
    func memberNumber(_ name: String) -> Int64? { if case .number(let text)? = member(name) { Int64(text) } else { nil } }
}

extension JSONValue {
    /// A consent as JSON: whether the customer lets the App Store have consumption information, and when that was stated.
    package static func of(_ consent: ConsumptionConsent) -> JSONValue {
        .members(["consented": .bool(consent.isGiven), "statedAt": .instant(consent.statedAt)])
    }
}
