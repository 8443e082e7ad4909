import WireText

/// Converts between the text of an input and the value of a draft.
///
/// Input that should be a number but is not is kept as text, so that the user can correct it.
enum FormValue {
    /// Returns a draft's value as text.
    ///
    /// The decimal point of a number is moved `places` to the left.
    static func shown(_ value: JSONValue?, by places: Int = 0) -> String {
        switch value {
        case .number(let spelling): DecimalShift.text(spelling, by: -places) ?? spelling
        case .string(let text): text
        case .bool(let flag): flag ? "true" : "false"
        case nil, .null?, .array?, .object?: ""
        }
    }

    /// Returns typed text as a number, with the decimal point moved `places` to the right; nil if it is empty.
    ///
    /// Text that is not a number stays text.
    static func number(_ text: String, by places: Int = 0) -> JSONValue? {
        let typed = text.trimmed
        if typed.isEmpty { return nil }
        // Commas between the thousands are accepted, because the console itself writes numbers in that way.
        let bare = typed.wholeMatch(of: /-?[0-9]{1,3}(,[0-9]{3})+/) == nil ? typed : typed.replacing(",", with: "")
        return DecimalShift.text(bare, by: places).map(JSONValue.number) ?? .string(text)
    }

    /// Returns an optional text; nil if it is empty.
    static func text(_ text: String) -> JSONValue? { text.isEmpty ? nil : .string(text) }
}
