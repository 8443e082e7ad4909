extension Instant {
    private static let day: Int64 = 24 * 3600 * 1000
    /// The last ms of the year 9999.
    private static let last: Int64 = 253_402_300_799_999
    /// The first ms of the year 1.
    private static let first: Int64 = -62_135_596_800_000

    /// The instant as `2020-05-18T10:50:00Z`, without a fraction of a second.
    package var iso8601: String {
        let time = ((milliseconds % Self.day) + Self.day) % Self.day
        let (year, month, day) = CalendarPeriod.date(ofDay: (milliseconds - time) / Self.day)
        func text(_ number: Int64, _ digits: Int = 2) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, digits - text.count)) + text
        }
        let seconds = time / 1000
        return
            "\(text(year, 4))-\(text(month))-\(text(day))T\(text(seconds / 3600)):\(text(seconds / 60 % 60)):\(text(seconds % 60))Z"
    }

    /// Reads a date, or a date with a time in UTC; nil for anything else.
    ///
    /// A date stands for its first instant in UTC. The forms are `2026-03-01`, `2026-03-01T09:30:00Z` and
    /// `2026-03-01T09:30:00.250Z`.
    package init?(iso8601 text: String) {
        var bytes = text.utf8[...]
        guard let year = Instant.number(4, &bytes), Instant.takes(0x2D, &bytes), let month = Instant.number(2, &bytes),
            Instant.takes(0x2D, &bytes), let day = Instant.number(2, &bytes), year >= 1, (1...12).contains(month),
            (1...Instant.days(inMonth: month, of: year)).contains(day)
        else { return nil }
        let date = Instant.days(before: year, month) + day - 1
        guard !bytes.isEmpty else {
            self.init(milliseconds: date * Instant.day)
            return
        }
        guard Instant.takes(0x54, &bytes), let hour = Instant.number(2, &bytes), Instant.takes(0x3A, &bytes),
            let minute = Instant.number(2, &bytes), Instant.takes(0x3A, &bytes), let second = Instant.number(2, &bytes),
            hour < 24, minute < 60, second < 60
        else { return nil }
        var fraction: Int64 = 0
        if Instant.takes(0x2E, &bytes) {
            guard let digits = Instant.number(3, &bytes) else { return nil }
            fraction = digits
        }
        guard Instant.takes(0x5A, &bytes), bytes.isEmpty else { return nil }
        self.init(milliseconds: date * Instant.day + ((hour * 60 + minute) * 60 + second) * 1000 + fraction)
    }

    /// Reads the value of an attribute as a time: a text that `init(iso8601:)` reads, or milliseconds since 1970.
    init?(_ value: ConditionValue) {
        switch value {
        case .text(let text): self.init(iso8601: text)
        case .number(let number):
            guard number >= Double(Instant.first), number <= Double(Instant.last) else { return nil }
            self.init(milliseconds: Int64(number))
        case .boolean, .list: return nil
        }
    }

    private static func number(_ count: Int, _ bytes: inout Substring.UTF8View) -> Int64? {
        let digits = bytes.prefix(count)
        guard digits.count == count, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        bytes = bytes.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    private static func takes(_ byte: UInt8, _ bytes: inout Substring.UTF8View) -> Bool {
        guard bytes.first == byte else { return false }
        bytes = bytes.dropFirst()
        return true
    }

    private static func isLeap(_ year: Int64) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    private static func days(inMonth month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days from 1970-01-01 to the first of a month.
    private static func days(before year: Int64, _ month: Int64) -> Int64 {
        let years = year - 1
        let leapDays = years / 4 - years / 100 + years / 400
        return years * 365 + leapDays - 719_162 + (1..<month).reduce(0) { $0 + days(inMonth: $1, of: year) }
    }
}
