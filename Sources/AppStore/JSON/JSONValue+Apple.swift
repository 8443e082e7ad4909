import WireText

/// Reads numbers, Booleans and ids, which Apple writes sometimes in their own JSON type and sometimes as a string.
extension JSONValue {
    /// The greatest accepted number. It is in ms the furthest date, before or after 1970: with a date beyond it, arithmetic could
    /// overflow.
    private static let largest: Int64 = 4_000_000_000_000_000
    private static let maxNumberLength = 32

    /// A text that is not empty, or the digits of a whole number; nil for anything else.
    var appleText: String? {
        switch self {
        // PostgreSQL cannot keep U+0000 in a text, and Apple's data does not contain it.
        case .string(let text): text.isEmpty || text.utf8.contains(0) ? nil : text
        case .number(let text): text.utf8.allSatisfy(JSONValue.isDigit) ? text : nil
        default: nil
        }
    }

    /// A whole number; nil for anything else. A number with a fraction is not rounded.
    var appleInteger: Int64? { appleNumber.flatMap { Int64(exactly: $0.value) == nil ? nil : $0.roundedDown } }

    /// A number, rounded down. Xcode, for example, writes dates with fractions of milliseconds.
    var appleMeasure: Int64? { appleNumber?.roundedDown }

    private var appleNumber: (value: Double, roundedDown: Int64)? {
        switch self {
        case .number(let text), .string(let text): JSONValue.number(text)
        default: nil
        }
    }

    /// True for `true`, `"true"`, `1` and `"1"`; false for `false`, `"false"`, `0` and `"0"`; nil for anything else.
    var appleFlag: Bool? {
        switch self {
        case .bool(let flag): flag
        case .string("true"): true
        case .string("false"): false
        default:
            switch appleInteger {
            case 1: true
            case 0: false
            default: nil
            }
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func number(_ text: String) -> (value: Double, roundedDown: Int64)? {
        guard text.utf8.count <= maxNumberLength else { return nil }
        // The conversion to Double is exact, because `largest` is below 2^53.
        if let whole = Int64(text) { return (-largest...largest).contains(whole) ? (Double(whole), whole) : nil }
        // Without this check, Double would also accept hexadecimal digits, infinities and NaN.
        let isDecimal = text.utf8.allSatisfy { isDigit($0) || "+-.eE".utf8.contains($0) }
        guard isDecimal, let number = Double(text), abs(number) <= Double(largest) else { return nil }
        return (number, Int64(number.rounded(.down)))
    }
}
