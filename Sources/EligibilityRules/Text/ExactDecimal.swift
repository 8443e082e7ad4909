/// A decimal number that is not negative, kept exactly as it is written.
public struct ExactDecimal: Hashable, Sendable {
    private static let maxDigits = 18

    /// All digits as one number: 64 for `0.0064`.
    public let digits: Int64
    /// How many decimals the number has: 4 for `0.0064`.
    public let places: Int

    /// Reads at most 18 digits with at most one point between them, such as `0.0064`; nil for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count),
            parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let digits = Int64(parts.joined()), parts.reduce(0, { $0 + $1.utf8.count }) <= Self.maxDigits
        else { return nil }
        self.digits = digits
        places = parts.count == 2 ? parts[1].utf8.count : 0
    }

    /// Returns the number in units of its last decimal if it is written with so many decimals: for 1.5 with three it is 1500.
    ///
    /// The result is nil if the number has further decimals that are not 0.
    public func units(places wanted: Int) -> Int128? {
        if wanted >= places { return Int128(digits) * Self.power(wanted - places) }
        let (units, rest) = Int128(digits).quotientAndRemainder(dividingBy: Self.power(places - wanted))
        return rest == 0 ? units : nil
    }

    /// Returns ten to the power of `exponent`.
    static func power(_ exponent: Int) -> Int128 { (0..<exponent).reduce(1) { power, _ in power * 10 } }

    /// Writes a number that is given in units of its last decimal: 1500 with three decimals is `1.5`.
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
