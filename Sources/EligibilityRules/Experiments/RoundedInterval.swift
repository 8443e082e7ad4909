/// An interval whose ends are rounded for display.
///
/// The ends are rounded outwards, so that the interval shown contains the whole interval. It has more decimals, up to 6, if an
/// end would otherwise show as 0.
public struct RoundedInterval: Sendable {
    /// One end of the interval.
    public struct End: Sendable {
        /// Whether the end lies below 0.
        public let isNegative: Bool
        /// The digits without the sign, as in `0.04`; `0` for zero.
        public let magnitude: String
    }

    private static let maxPlaces = 6

    /// The lower end, rounded down.
    public let low: End
    /// The upper end, rounded up.
    public let high: End

    /// Rounds an interval.
    ///
    /// - Parameters:
    ///   - factor: by what the ends are multiplied; 100 shows shares as percentages.
    ///   - places: the number of decimals; there are more if an end would otherwise show as 0.
    public init(_ interval: ConfidenceInterval, times factor: Double = 1, places: Int = 1) {
        let (low, high) = (interval.low * factor, interval.high * factor)
        var places = places
        while places < Self.maxPlaces, Self.vanishes(low, .down, places) || Self.vanishes(high, .up, places) { places += 1 }
        self.low = Self.end(low, .down, places)
        self.high = Self.end(high, .up, places)
    }

    private static func vanishes(_ value: Double, _ rule: FloatingPointRoundingRule, _ places: Int) -> Bool {
        !isZero(value) && units(value, rule, places) == 0
    }

    private static func isZero(_ value: Double) -> Bool { abs(value) < 1e-9 }

    private static func end(_ value: Double, _ rule: FloatingPointRoundingRule, _ places: Int) -> End {
        let rounded = units(value, rule, places)
        guard rounded != 0 else { return End(isNegative: false, magnitude: "0") }
        guard abs(rounded) < 1e15 else { return End(isNegative: rounded < 0, magnitude: "\(abs(value))") }
        let (whole, fraction) = Int(abs(rounded)).quotientAndRemainder(dividingBy: Int(power(places)))
        let digits = "\(fraction)"
        return End(
            isNegative: rounded < 0,
            magnitude: "\(PlainNumber.text(whole)).\(String(repeating: "0", count: places - digits.count))\(digits)")
    }

    /// Returns the value in units of the last decimal, rounded to a whole number.
    ///
    /// A value that misses a whole number only by an error of floating point becomes that number.
    private static func units(_ value: Double, _ rule: FloatingPointRoundingRule, _ places: Int) -> Double {
        let scaled = value * power(places)
        let nearest = scaled.rounded()
        return abs(scaled - nearest) < 1e-9 * max(1, abs(scaled)) ? nearest : scaled.rounded(rule)
    }

    private static func power(_ places: Int) -> Double { (0..<places).reduce(1) { power, _ in power * 10 } }
}
