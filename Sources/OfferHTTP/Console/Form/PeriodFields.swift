import WireText

/// A period of the calendar as a number and a unit.
struct PeriodFields: Equatable {
    /// The letters of ISO 8601, in the order of the choice.
    static let units = [("D", "days"), ("W", "weeks"), ("M", "months"), ("Y", "years")]

    let number: String
    let unit: String

    init(number: String, unit: String) {
        self.number = number
        self.unit = unit
    }

    /// Reads the draft's value. A value that is not a period becomes the number.
    init(_ value: JSONValue?) {
        let text = FormValue.shown(value)
        let unit = String(text.suffix(1))
        if text.hasPrefix("P"), text.count > 1, Self.units.contains(where: { $0.0 == unit }) {
            self.init(number: String(text.dropFirst().dropLast()), unit: unit)
        } else {
            self.init(number: text, unit: "D")
        }
    }

    /// The value as the draft keeps it; nil if there is no number.
    var json: JSONValue? {
        number.trimmed.isEmpty ? nil : .string("P\(number.trimmed)\(Self.units.contains { $0.0 == unit } ? unit : "D")")
    }
}
