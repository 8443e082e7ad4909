/// Moves the decimal point of numbers that are written as text, for example from a percentage to basis points.
///
/// It moves the point in the text itself, so that nothing is rounded.
enum DecimalShift {
    private static let maxDigits = 400

    /// Returns the number times ten to the power of `places`, in its shortest form; nil if the text is not a number.
    static func text(_ text: String, by places: Int) -> String? {
        let number = /(-?)([0-9]{1,400})(?:\.([0-9]{1,400}))?(?:[eE]([+-]?[0-9]{1,3}))?/
        guard let match = text.wholeMatch(of: number) else { return nil }
        let (_, sign, whole, fraction, exponent) = match.output
        let move = places + (exponent.flatMap { Int($0) } ?? 0)
        guard abs(move) <= maxDigits else { return nil }
        var digits = String(whole) + (fraction ?? "")
        var point = whole.count + move
        if point < 0 {
            digits = String(repeating: "0", count: -point) + digits
            point = 0
        } else if point > digits.count {
            digits += String(repeating: "0", count: point - digits.count)
        }
        let front = String(digits.prefix(point).drop { $0 == "0" })
        let back = String(digits.dropFirst(point).reversed().drop { $0 == "0" }.reversed())
        let magnitude = (front.isEmpty ? "0" : front) + (back.isEmpty ? "" : "." + back)
        return magnitude == "0" ? "0" : "\(sign)\(magnitude)"
    }
}
