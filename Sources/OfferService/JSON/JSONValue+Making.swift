package import EligibilityRules
package import WireText

extension JSONValue {
    /// An object without the members that are nil.
    package static func members(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        .object(members.compactMap { name, value in value.map { Member(name: name, value: $0) } })
    }

    /// A text, or null.
    package static func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

    /// Milliseconds since 1970, or null.
    package static func instant(_ instant: Instant?) -> JSONValue { instant.map { .number("\($0.milliseconds)") } ?? .null }

    /// A list of texts.
    package static func texts(_ texts: some Sequence<String>) -> JSONValue { .array(texts.map(JSONValue.string)) }

    /// A whole number, or null.
    package static func integer(_ number: (some BinaryInteger)?) -> JSONValue { number.map { .number("\($0)") } ?? .null }

    /// True, false, or null if it is not known.
    package static func flag(_ flag: Bool?) -> JSONValue { flag.map(JSONValue.bool) ?? .null }
}
