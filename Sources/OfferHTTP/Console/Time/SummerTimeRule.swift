/// The yearly rule for clock changes: `CET-1CEST,M3.5.0,M10.5.0/3` (POSIX `TZ`).
struct SummerTimeRule: Equatable, Sendable {
    /// The nth weekday of a month, 5 being the last, and the seconds after midnight by the clocks then in force.
    private struct Change: Equatable, Sendable {
        let month, week, weekday: Int64
        let second: Int64
    }

    private let standard: Int64
    private let summer: Int64
    private let begin: Change?
    private let end: Change?

    /// Returns nil for a text that is not such a rule.
    init?(_ text: String) {
        let offset = "[+-]?[0-9]{1,3}(?::[0-9]{2}){0,2}"
        let name = "(?:[A-Za-z]{3,}|<[A-Za-z0-9+-]+>)"
        let pattern = try? Regex("\(name)(\(offset))(?:\(name)(\(offset))?,([^,]+),([^,]+))?", as: Match.self)
        guard let pattern, let match = try? pattern.wholeMatch(in: text)?.output else { return nil }
        // A POSIX offset is added to local time to get UTC.
        standard = -Self.seconds(match.1)
        summer = match.2.map { -Self.seconds($0) } ?? standard + 3600
        begin = match.3.flatMap { Self.change($0) }
        end = match.4.flatMap { Self.change($0) }
        if match.3 != nil, begin == nil || end == nil { return nil }
    }

    private typealias Match = (Substring, Substring, Substring?, Substring?, Substring?)

    /// Returns the offset in seconds east of UTC.
    func offset(at second: Int64) -> Int64 {
        guard let begin, let end else { return standard }
        let year = CivilDay(second: second + standard).year
        let (start, stop) = (Self.second(of: begin, in: year) - standard, Self.second(of: end, in: year) - summer)
        let isSummer = start < stop ? (start..<stop).contains(second) : !(stop..<start).contains(second)
        return isSummer ? summer : standard
    }

    private static func second(of change: Change, in year: Int64) -> Int64 {
        let first = CivilDay.number(year: year, month: change.month, day: 1)
        let length = CivilDay.number(year: year + change.month / 12, month: change.month % 12 + 1, day: 1) - first
        // 1970-01-01 was a Thursday.
        let weekday = ((first + 4) % 7 + 7) % 7
        var day = first + (change.weekday - weekday + 7) % 7 + (change.week - 1) * 7
        while day >= first + length { day -= 7 }
        return day * 86_400 + change.second
    }

    private static func change(_ text: Substring) -> Change? {
        guard let match = text.wholeMatch(of: /M([0-9]{1,2})\.([1-5])\.([0-6])(?:\/([+-]?[0-9:]+))?/),
            let month = Int64(match.1), (1...12).contains(month), let week = Int64(match.2), let weekday = Int64(match.3)
        else { return nil }
        return Change(month: month, week: week, weekday: weekday, second: match.4.map { seconds($0) } ?? 7200)
    }

    private static func seconds(_ text: Substring) -> Int64 {
        let isNegative = text.hasPrefix("-")
        let parts = text.drop { "+-".contains($0) }.split(separator: ":").map { Int64($0) ?? 0 }
        let sum = zip(parts, [3600, 60, 1]).reduce(0) { $0 + $1.0 * $1.1 }
        return isNegative ? -sum : sum
    }
}
