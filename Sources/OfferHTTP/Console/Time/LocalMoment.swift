import EligibilityRules

/// A point in time as the clocks of a place show it.
struct LocalMoment {
    /// The date: `2026-12-01`.
    let date: String
    /// The time: `09:00`; with seconds and ms unless they are zero.
    let time: String

    /// Converts an instant to local time.
    init(_ instant: Instant, in zone: TimeZoneRules) {
        let milliseconds = instant.milliseconds
        let rest = (milliseconds % 1000 + 1000) % 1000
        let utc = (milliseconds - rest) / 1000
        let local = utc + zone.offset(at: utc)
        let day = CivilDay(second: local)
        let second = ((local % 86_400) + 86_400) % 86_400
        date = "\(Self.padded(day.year, 4))-\(Self.padded(day.month))-\(Self.padded(day.day))"
        let seconds = second % 60 == 0 && rest == 0 ? "" : ":\(Self.padded(second % 60))"
        time =
            "\(Self.padded(second / 3600)):\(Self.padded(second / 60 % 60))\(seconds)\(rest == 0 ? "" : "." + Self.padded(rest, 3))"
    }

    /// Returns the instants at which clocks show the time: none where they skip it, two where they repeat it. Returns nil if the
    /// date or the time is invalid.
    static func instants(date: String, time: String, in zone: TimeZoneRules) -> [Instant]? {
        guard let days = date.wholeMatch(of: /([0-9]{4})-([0-9]{2})-([0-9]{2})/),
            let clock = time.wholeMatch(of: /([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{3}))?)?/)
        else { return nil }
        let numbers = [days.1, days.2, days.3, clock.1, clock.2, clock.3 ?? "0", clock.4 ?? "0"].compactMap { Int64($0) }
        let number = CivilDay.number(year: numbers[0], month: numbers[1], day: numbers[2])
        let isDay = CivilDay(second: number * 86_400)
        guard numbers[0] > 0, isDay.month == numbers[1], isDay.day == numbers[2], numbers[3] < 24, numbers[4] < 60,
            numbers[5] < 60
        else { return nil }
        let local = number * 86_400 + numbers[3] * 3600 + numbers[4] * 60 + numbers[5]
        return zone.seconds(ofLocal: local).map { Instant(milliseconds: $0 * 1000 + numbers[6]) }
    }

    private static func padded(_ number: Int64, _ width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
