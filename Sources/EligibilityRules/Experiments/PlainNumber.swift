/// Numbers as people read them: a decimal point, and commas between thousands.
enum PlainNumber {
    /// With one decimal, rounded half away from zero.
    static func text(_ value: Double) -> String {
        guard abs(value) < 1e15 else { return "\(value)" }
        let tenths = Int((abs(value) * 10).rounded())
        let sign = value < 0 && tenths > 0 ? "−" : ""
        return "\(sign)\(text(tenths / 10)).\(tenths % 10)"
    }

    /// With two decimals, for money.
    static func money(_ value: Double) -> String {
        guard abs(value) < 1e15 else { return "\(value)" }
        let hundredths = Int((abs(value) * 100).rounded())
        let sign = value < 0 && hundredths > 0 ? "−" : ""
        let cents = hundredths % 100
        return "\(sign)\(text(hundredths / 100)).\(cents < 10 ? "0" : "")\(cents)"
    }

    /// With commas between thousands.
    static func text(_ value: Int) -> String {
        let digits = String(value)
        var result = ""
        for (place, digit) in digits.enumerated() {
            if place > 0, (digits.count - place).isMultiple(of: 3), result != "-" { result.append(",") }
            result.append(digit)
        }
        return result
    }

    /// A share as a number out of 100.
    static func ofHundred(_ share: Double) -> String { text(share * 100) }
}
