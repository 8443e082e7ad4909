/// A period of the calendar as people say it.
enum PeriodWords {
    private static let units = ["D": "day", "W": "week", "M": "month", "Y": "year"]

    /// `3 months` for `P3M`; anything else as it is.
    static func text(_ period: String) -> String {
        guard let match = period.wholeMatch(of: /P([0-9]+)([DWMY])/), let count = Int(match.1) else { return period }
        return ConsoleTime.count(count, units[String(match.2)] ?? "").replacing(" ", with: "\u{a0}")
    }
}
