import WireText

/// A period of the calendar as a number and a unit.
struct PeriodFields: Equatable {
    /// ISO 8601's letters, in the order in which people choose.
    static let units = [("D", "days"), ("W", "weeks"), ("M", "months"), ("Y", "years")]

    let number: String
    let unit: String

    /// Takes the values as they are.
    init(number: String, unit: String) {
        self.number = number
        self.unit = unit
    }

    /// Of what the draft says; anything but a period stands in the number.
    init(_ value: JSONValue?) {
        let text = FormValue.shown(value)
        let unit = String(text.suffix(1))
        if text.hasPrefix("P"), text.count > 1, Self.units.contains(where: { $0.0 == unit }) {
            self.init(number: String(text.dropFirst().dropLast()), unit: unit)
        } else {
            self.init(number: text, unit: "D")
        }
    }

    /// As the draft says it; nil where there is no number.
    var json: JSONValue? {
        number.trimmed.isEmpty ? nil : .string("P\(number.trimmed)\(Self.units.contains { $0.0 == unit } ? unit : "D")")
    }
}
