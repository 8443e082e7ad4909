/// A decimal number that is not negative, as written: no digit is lost.
public struct ExactDecimal: Hashable, Sendable {
    private static let maxDigits = 18

    /// All digits as one number.
    public let digits: Int64
    /// How many of them are decimals.
    public let places: Int

    /// Reads digits with at most one point among them, such as `0.0064`; nil for anything else, and for more than 18 digits.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count),
            parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let digits = Int64(parts.joined()), parts.reduce(0, { $0 + $1.utf8.count }) <= Self.maxDigits
        else { return nil }
        self.digits = digits
        places = parts.count == 2 ? parts[1].utf8.count : 0
    }

    /// Returns it as a number of units of the last of some decimals; nil if it has more decimals that are not zero.
    public func units(places wanted: Int) -> Int128? {
        if wanted >= places { return Int128(digits) * Self.power(wanted - places) }
        let (units, rest) = Int128(digits).quotientAndRemainder(dividingBy: Self.power(places - wanted))
        return rest == 0 ? units : nil
    }

    /// Returns a power of ten.
    static func power(_ exponent: Int) -> Int128 { (0..<exponent).reduce(1) { power, _ in power * 10 } }

    /// Returns a number of units of the last of some decimals as digits, exactly.
    public static func text(_ units: Int128, places: Int) -> String {
        var (units, places) = (units, places)
        while places > 0, units % 10 == 0 { (units, places) = (units / 10, places - 1) }
        let sign = units < 0 ? "-" : ""
        let (whole, rest) = units.magnitude.quotientAndRemainder(dividingBy: power(places).magnitude)
        guard places > 0 else { return "\(sign)\(whole)" }
        let digits = "\(rest)"
        return "\(sign)\(whole).\(String(repeating: "0", count: places - digits.count))\(digits)"
    }
}
