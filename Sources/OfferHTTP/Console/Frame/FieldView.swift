/// One input with its label, hint and faults, for the templates `field` and `select`.
struct FieldView: TemplateView {
    /// How a value is entered.
    enum Entry {
        /// The keyboard that a phone shows for a number.
        enum Keyboard: String {
            case numeric, decimal
        }

        case text(suggestions: [String] = [])
        case number(Keyboard, unit: String = "")
        case choice([(id: String, label: String)])
    }

    /// A choice of a select element.
    struct Choice: TemplateView {
        let id: String
        let label: String
        let isChosen: Bool
    }

    /// The values that an input suggests.
    struct Suggestions: TemplateView {
        let listID: String
        let items: [String]
    }

    /// The id of the input, and also the name under which the form sends its value.
    let id: String
    let label: String
    let value: String
    /// A sentence about the input or, if it cannot be changed, the reason.
    let hint: String?
    /// The text after the input, such as a unit.
    let unit: String?
    /// The kind of keyboard that a phone shows: `numeric` or `decimal`; nil for the usual one.
    let mode: String?
    let error: String?
    let isInvalid: Bool
    /// The ids of the elements that describe the input.
    let described: String?
    let isLocked: Bool
    let choices: [Choice]
    let list: Suggestions?

    /// - Parameters:
    ///   - lock: why the input cannot be changed; empty if it can.
    ///   - errors: the faults of the form.
    init(
        id: String,
        label: String,
        value: String = "",
        hint: String = "",
        entry: Entry = .text(),
        lock: String = "",
        _ errors: FormErrors
    ) {
        self.id = id
        self.label = label
        self.value = value
        self.hint = (lock.isEmpty ? hint : lock).nonEmpty
        error = errors[id].nonEmpty
        isInvalid = error != nil
        described =
            [error.map { _ in "\(id)-error" }, self.hint.map { _ in "\(id)-hint" }].compactMap(\.self)
            .joined(separator: " ").nonEmpty
        isLocked = !lock.isEmpty
        unit = if case .number(_, let unit) = entry { unit.nonEmpty } else { nil }
        mode = if case .number(let keyboard, _) = entry { keyboard.rawValue } else { nil }
        choices =
            if case .choice(let all) = entry { all.map { Choice(id: $0.id, label: $0.label, isChosen: $0.id == value) } } else {
                []
            }
        list =
            if case .text(let items) = entry, !items.isEmpty { Suggestions(listID: "\(id)-list", items: items) } else { nil }
    }
}

extension String {
    /// The text; nil if it is empty. A template then leaves out the elements around it, too.
    var nonEmpty: String? { isEmpty ? nil : self }
}
