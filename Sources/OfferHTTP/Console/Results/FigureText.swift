import EligibilityRules

/// Writes the figures of a test for people, with one decimal. The ends of intervals are rounded outwards, so that the interval
/// that is shown contains the exact one.
enum FigureText {
    /// Returns `9.7 %`.
    static func percent(_ share: Double) -> String { "\(tenths(share * 100))\u{a0}%" }

    /// Returns `+3.7`.
    static func points(_ share: Double) -> String { (share >= 0 ? "+" : "−") + tenths(abs(share) * 100) }

    /// Returns `+3.7` for points, or `+0.48` for money.
    static func difference(_ value: Double, _ measure: ExperimentMeasure) -> String {
        measure == .conversion ? points(value) : (value >= 0 ? "+" : "") + money(value)
    }

    /// Returns `0.48`.
    static func money(_ value: Double) -> String {
        let cents = Int((abs(value) * 100).rounded())
        return "\(value < 0 ? "−" : "")\(ConsoleTime.number(cents / 100)).\(cents % 100 < 10 ? "0" : "")\(cents % 100)"
    }

    /// Returns a chance as a percentage.
    ///
    /// The text never says that something is certain or impossible.
    static func chance(_ share: Double) -> String {
        share > 0.999 ? "over 99.9\u{a0}%" : share < 0.001 ? "under 0.1\u{a0}%" : percent(share)
    }

    /// Returns `0.043`.
    static func pValue(_ p: Double) -> String {
        let thousandths = Int((p * 1000).rounded())
        return thousandths == 0 ? "under 0.001" : "\(thousandths / 1000).\("\(1000 + thousandths % 1000)".dropFirst())"
    }

    /// The unit in which the ends of an interval are written.
    enum Unit {
        case percent, points, money

        /// The unit of a difference.
        static func difference(of measure: ExperimentMeasure) -> Unit { measure == .conversion ? .points : .money }
    }

    /// Returns `points` or `USD`.
    static func unit(of measure: ExperimentMeasure) -> String {
        if case .revenue(let currency) = measure { currency } else { "points" }
    }

    /// Returns `8.8 % to 10.6 %`.
    static func range(_ interval: ConfidenceInterval, _ unit: Unit) -> String {
        let ends = ends(interval, unit)
        return "\(ends.low) to \(ends.high)"
    }

    /// Returns `between −0.4 and +7.1`.
    static func between(_ interval: ConfidenceInterval, _ unit: Unit) -> String {
        let ends = ends(interval, unit)
        return "between \(ends.low) and \(ends.high)"
    }

    private static func ends(_ interval: ConfidenceInterval, _ unit: Unit) -> (low: String, high: String) {
        let ends =
            unit == .money ? RoundedInterval(interval, places: 2) : RoundedInterval(interval, times: 100)
        func text(_ end: RoundedInterval.End) -> String {
            let sign = end.isNegative ? "−" : unit == .points && end.magnitude != "0" ? "+" : ""
            return "\(sign)\(end.magnitude)\(unit == .percent ? "\u{a0}%" : "")"
        }
        return (text(ends.low), text(ends.high))
    }

    private static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(ConsoleTime.number(tenths / 10)).\(tenths % 10)"
    }
}
