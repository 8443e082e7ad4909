import EligibilityRules

/// Dates as text, as receipts give them beside milliseconds: `2020-05-18 10:37:17 Etc/GMT`.
enum AppleDate {
    private static let zone = Array(" Etc/GMT".utf8)
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let daysBeforeMonth = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]

    /// Returns the instant; nil for anything else, including dates in other time zones.
    static func instant(_ text: String) -> Instant? {
        let bytes = Array(text.utf8)
        guard bytes.count == 19 + zone.count, bytes[19...].elementsEqual(zone), hasPunctuation(bytes),
            let year = number(bytes[0..<4]), year >= 1970,
            let month = number(bytes[5..<7]), (1...12).contains(month),
            let day = number(bytes[8..<10]), day >= 1, day <= days(in: month, of: year),
            let hour = number(bytes[11..<13]), hour < 24,
            let minute = number(bytes[14..<16]), minute < 60,
            let second = number(bytes[17..<19]), second <= 60
        else { return nil }
        let leapDays = leapDays(before: year) - leapDays(before: 1970) + (month > 2 && isLeap(year) ? 1 : 0)
        let dayNumber = 365 * (year - 1970) + leapDays + daysBeforeMonth[month - 1] + day - 1
        return Instant(milliseconds: Int64(((dayNumber * 24 + hour) * 60 + minute) * 60 + second) * 1000)
    }

    /// Returns the instant of an HTTP header `Date`, such as `Sun, 06 Nov 1994 08:49:37 GMT`; nil for anything else.
    static func httpInstant(_ text: String) -> Instant? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[5] == "GMT", let month = months.firstIndex(of: String(parts[2])) else { return nil }
        let number = month + 1
        return instant("\(parts[3])-\(number < 10 ? "0" : "")\(number)-\(parts[1]) \(parts[4]) Etc/GMT")
    }

    /// Returns the instant of a date inside a receipt, such as `2020-05-18T10:37:17Z`; nil for anything else.
    static func receiptInstant(_ text: String) -> Instant? {
        let parts = text.split(separator: "T", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].hasSuffix("Z") else { return nil }
        return instant("\(parts[0]) \(parts[1].dropLast()) Etc/GMT")
    }

    private static func hasPunctuation(_ bytes: [UInt8]) -> Bool {
        zip([4, 7, 10, 13, 16], "-- ::".utf8).allSatisfy { bytes[$0] == $1 }
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var value = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            value = value * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return value
    }

    private static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    private static func leapDays(before year: Int) -> Int { (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400 }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
