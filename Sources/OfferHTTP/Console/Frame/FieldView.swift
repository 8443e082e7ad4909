/// One input with its label, hint and faults, for the templates `field` and `select`.
struct FieldView: TemplateView {
    /// A choice of a select element.
    struct Choice: TemplateView {
        let id: String
        let label: String
        let isChosen: Bool
    }

    /// The suggested values of an input.
    struct Suggestions: TemplateView {
        let listID: String
        let items: [String]
    }

    /// The id of the element, and the name that its value is sent under.
    let id: String
    let label: String
    let value: String
    /// A sentence about the input, or why it cannot be changed.
    let hint: String?
    /// The text after the input.
    let unit: String?
    /// The kind of an on-screen keyboard: `numeric` or `decimal`.
    let mode: String?
    let error: String?
    let isInvalid: Bool
    /// The ids of the elements that describe the input.
    let described: String?
    let isLocked: Bool
    let choices: [Choice]
    let list: Suggestions?

    /// Creates the view of an input.
    ///
    /// - Parameters:
    ///   - lock: why the input cannot be changed; empty if it can.
    ///   - errors: the faults of the form.
    init(
        id: String,
        label: String,
        value: String = "",
        hint: String = "",
        unit: String = "",
        mode: String = "",
        choices: [(id: String, label: String)] = [],
        suggestions: [String] = [],
        lock: String = "",
        _ errors: FormErrors
    ) {
        self.id = id
        self.label = label
        self.value = value
        self.hint = (lock.isEmpty ? hint : lock).nonEmpty
        self.unit = unit.nonEmpty
        self.mode = mode.nonEmpty
        error = errors[id].nonEmpty
        isInvalid = error != nil
        described =
            [error.map { _ in "\(id)-error" }, self.hint.map { _ in "\(id)-hint" }].compactMap(\.self)
            .joined(separator: " ").nonEmpty
        isLocked = !lock.isEmpty
        self.choices = choices.map { Choice(id: $0.id, label: $0.label, isChosen: $0.id == value) }
        list = suggestions.isEmpty ? nil : Suggestions(listID: "\(id)-list", items: suggestions)
    }
}

extension String {
    /// The text; nil if it is empty, so that a template leaves it out.
    var nonEmpty: String? { isEmpty ? nil : self }
}
