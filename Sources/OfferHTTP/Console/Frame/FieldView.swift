/// One input with its label, hint and faults, for the templates `field` and `select`.
struct FieldView {
    /// The id of the element, and the name that its value is sent under.
    let id: String
    let label: String
    var value = ""
    var hint = ""
    /// The text after the input.
    var unit = ""
    /// The kind of an on-screen keyboard: `numeric` or `decimal`.
    var mode = ""
    /// The choices, with labels.
    var choices: [(id: String, label: String)] = []
    /// The suggested values.
    var suggestions: [String] = []
    /// Why the input cannot be changed; empty if it can.
    var lock = ""

    /// Returns the values for the template.
    func values(_ errors: FormErrors) -> [String: Any] {
        let error = errors[id]
        let described = [error.isEmpty ? nil : "\(id)-error", hint.isEmpty && lock.isEmpty ? nil : "\(id)-hint"].compactMap(
            \.self)
        return [
            "id": id, "label": label, "value": value, "hint": Self.optional(lock.isEmpty ? hint : lock),
            "unit": Self.optional(unit), "mode": Self.optional(mode), "error": Self.optional(error), "isInvalid": !error.isEmpty,
            "described": Self.optional(described.joined(separator: " ")), "isLocked": !lock.isEmpty,
            "choices": choices.map { ["id": $0.id, "label": $0.label, "isChosen": $0.id == value] as [String: Any] },
            "list": suggestions.isEmpty ? false : ["items": suggestions, "listID": "\(id)-list"] as [String: Any],
        ]
    }

    /// Returns a text, or false for an empty one, so that the template leaves it out.
    static func optional(_ text: String) -> Any { text.isEmpty ? false : text }
}
