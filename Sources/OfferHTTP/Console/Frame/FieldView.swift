/// One input with its label, hint and faults, for the templates `field` and `select`.
struct FieldView {
    /// Of the element, and what it is sent as.
    let id: String
    let label: String
    var value = ""
    var hint = ""
    /// What stands behind the input.
    var unit = ""
    /// What an on-screen keyboard is to offer: `numeric` or `decimal`.
    var mode = ""
    /// What can be chosen, with what is shown.
    var choices: [(id: String, label: String)] = []
    /// What others have written here.
    var suggestions: [String] = []
    /// Why it cannot be changed; empty: it can.
    var lock = ""

    /// For the template.
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

    /// What a template leaves out where it is empty.
    static func optional(_ text: String) -> Any { text.isEmpty ? false : text }
}
