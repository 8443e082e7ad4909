/// A period of the calendar (UTC), written in ISO 8601 with one number and one unit: `P90D`, `P2W`, `P1M`, `P1Y`.
public struct CalendarPeriod: Hashable, Sendable {
    private enum Unit: UInt8 {
        case days = 0x44
        case weeks = 0x57
        case months = 0x4D
        case years = 0x59
    }

    private static let day: Int64 = 24 * 3600 * 1000

    private let count: Int64
    private let unit: Unit

    /// Reads `P`, a number from 1 to 9999, and `D`, `W`, `M` or `Y`; nil for anything else.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard (3...6).contains(bytes.count), bytes[0] == 0x50, bytes[1] != 0x30, let unit = Unit(rawValue: bytes.last!) else {
            return nil
        }
        let digits = bytes[1..<bytes.count - 1]
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        count = digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
        self.unit = unit
    }

    /// The period in ISO 8601.
    public var text: String { "P\(count)\(Character(UnicodeScalar(unit.rawValue)))" }

    /// The approximate number of days, with 365 days to a year and a twelfth of that to a month.
    public var approximateDays: Int64 {
        switch unit {
        case .days: count
        case .weeks: count * 7
        case .months: count * 365 / 12
        case .years: count * 365
        }
    }

    /// Returns how many times another period fits into this one, as a fraction.
    ///
    /// The fraction is exact between months and years, and between days and weeks. Otherwise it compares approximate days.
    func ratio(to other: CalendarPeriod) -> (of: Int64, to: Int64) {
        func months(_ period: CalendarPeriod) -> Int64? {
            switch period.unit {
            case .months: period.count
            case .years: period.count * 12
            case .days, .weeks: nil
            }
        }
        if let mine = months(self), let theirs = months(other) { return (mine, theirs) }
        return (approximateDays, other.approximateDays)
    }

    /// Returns the end of a period that begins at an instant.
    ///
    /// If the month of the end is too short, the end is on its last day: a month after January 31 is February 28 or 29.
    public func after(_ instant: Instant) -> Instant {
        switch unit {
        case .days: instant.advanced(by: count * Self.day)
        case .weeks: instant.advanced(by: count * 7 * Self.day)
        case .months: Self.months(count, after: instant)
        case .years: Self.months(count * 12, after: instant)
        }
    }

    private static func months(_ count: Int64, after instant: Instant) -> Instant {
        let days = instant.milliseconds >= 0 ? instant.milliseconds / day : (instant.milliseconds - day + 1) / day
        let rest = instant.milliseconds - days * day
        let (year, month, dayOfMonth) = date(ofDay: days)
        let months = year * 12 + (month - 1) + count
        let (laterYear, laterMonth) = (months / 12, months % 12 + 1)
        let length =
            number(ofYear: (months + 1) / 12, month: (months + 1) % 12 + 1, day: 1)
            - number(ofYear: laterYear, month: laterMonth, day: 1)
        let later = number(ofYear: laterYear, month: laterMonth, day: min(dayOfMonth, length))
        return Instant(milliseconds: later * day + rest)
    }

    // The next two functions convert a date of the Gregorian calendar to days since 1970-01-01 and back. They count years from
    // March, so that a leap day is the last day of its year.
    private static func number(ofYear year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    static func date(ofDay days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let index = (5 * dayOfYear + 2) / 153
        let month = index < 10 ? index + 3 : index - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * index + 2) / 5 + 1)
    }
}
