import WireText

/// What stands in one input beside what stands in the draft. What is no number is kept as the text that somebody typed.
enum FormValue {
    /// As a number of the draft is shown, so many decimal places smaller.
    static func shown(_ value: JSONValue?, by places: Int = 0) -> String {
        switch value {
        case .number(let spelling): places == 0 ? spelling : DecimalShift.text(spelling, by: -places) ?? spelling
        case .string(let text): text
        case .bool(let flag): flag ? "true" : "false"
        case nil, .null?, .array?, .object?: ""
        }
    }

    /// What somebody typed where a number is wanted, so many decimal places larger; nil where nothing was typed.
    static func number(_ text: String, by places: Int = 0) -> JSONValue? {
        let typed = text.trimmed
        if typed.isEmpty { return nil }
        // Thousands with commas, as the console itself writes them.
        let bare = typed.wholeMatch(of: /-?[0-9]{1,3}(,[0-9]{3})+/) == nil ? typed : typed.replacing(",", with: "")
        return DecimalShift.text(bare, by: places).map(JSONValue.number) ?? .string(text)
    }

    /// A text that may be left out.
    static func text(_ text: String) -> JSONValue? { text.isEmpty ? nil : .string(text) }
}
