/// Writes a period of the calendar in words.
enum PeriodWords {
    /// Returns `month` for `P1M`, and `3 months` for `P3M`.
    static func each(_ period: String) -> String {
        let words = text(period)
        return words.hasPrefix("1\u{a0}") ? String(words.dropFirst(2)) : words
    }

    private static let units = ["D": "day", "W": "week", "M": "month", "Y": "year"]

    /// Returns `3 months` for `P3M`, and any other text unchanged.
    static func text(_ period: String) -> String {
        guard let match = period.wholeMatch(of: /P([0-9]+)([DWMY])/), let count = Int(match.1) else { return period }
        return ConsoleTime.count(count, units[String(match.2)] ?? "").replacing(" ", with: "\u{a0}")
    }
}
