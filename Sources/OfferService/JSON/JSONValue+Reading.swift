import WireText

extension JSONValue {
    /// A member that is a text; nil if it is absent or anything else.
    func memberText(_ name: String) -> String? { if case .string(let text)? = member(name) { text } else { nil } }

    /// A member that is a whole number; nil if it is absent or anything else.
    func memberNumber(_ name: String) -> Int64? { if case .number(let text)? = member(name) { Int64(text) } else { nil } }
}
