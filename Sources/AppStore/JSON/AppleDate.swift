import EligibilityRules

/// Reads the dates that Apple writes as text.
///
/// Inside a receipt a date has the form of RFC 3339, such as `2020-05-18T10:37:17Z`. In an answer of verifyReceipt or a
/// notification V1 it looks like `2020-05-18 10:37:17 Etc/GMT`.
enum AppleDate {
    private static let zone = " Etc/GMT"
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let daysBeforeMonth = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]

    /// Returns the instant of a date in either form; nil for any other text, for a date before 1970 and for another time zone's
    /// name.
    ///
    /// Fractions of a second, offsets from UTC, lower-case letters and leap seconds are accepted, too. Digits below a millisecond
    /// are dropped.
    static func instant(_ text: String) -> Instant? {
        var rest = text.utf8[...]
        guard let year = number(4, &rest), year >= 1970, takes("-", &rest) != nil,
            let month = number(2, &rest), (1...12).contains(month), takes("-", &rest) != nil,
            let day = number(2, &rest), day >= 1, day <= days(in: month, of: year), takes("Tt ", &rest) != nil,
            let hour = number(2, &rest), hour < 24, takes(":", &rest) != nil,
            let minute = number(2, &rest), minute < 60, takes(":", &rest) != nil,
            let second = number(2, &rest), second <= 60, let fraction = fraction(&rest), let offset = offset(rest)
        else { return nil }
        let leapDays = leapDays(before: year) - leapDays(before: 1970) + (month > 2 && isLeap(year) ? 1 : 0)
        let dayNumber = 365 * (year - 1970) + leapDays + daysBeforeMonth[month - 1] + day - 1
        return Instant(milliseconds: Int64((((dayNumber * 24 + hour) * 60 + minute - offset) * 60 + second) * 1000 + fraction))
    }

    /// Returns the instant of an HTTP header `Date`, such as `Sun, 06 Nov 1994 08:49:37 GMT`; nil for anything else.
    static func httpInstant(_ text: String) -> Instant? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[5] == "GMT", let month = months.firstIndex(of: String(parts[2])) else { return nil }
        let number = month + 1
        return instant("\(parts[3])-\(number < 10 ? "0" : "")\(number)-\(parts[1]) \(parts[4])Z")
    }

    /// Removes the first character of the text and returns it, if it is one of `characters`; otherwise nil.
    private static func takes(_ characters: String, _ text: inout Substring.UTF8View) -> UInt8? {
        guard let first = text.first, characters.utf8.contains(first) else { return nil }
        text = text.dropFirst()
        return first
    }

    /// Removes `count` digits from the beginning of the text, and returns the number that they write. Returns nil if the text
    /// does not begin with so many digits.
    private static func number(_ count: Int, _ text: inout Substring.UTF8View) -> Int? {
        var value = 0
        for _ in 0..<count {
            guard let digit = takes("0123456789", &text) else { return nil }
            value = value * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return value
    }

    /// Removes a fraction of a second from the beginning of the text and returns it in ms.
    ///
    /// Returns 0 if the text does not begin with a point, and nil if no digit follows the point.
    private static func fraction(_ text: inout Substring.UTF8View) -> Int? {
        guard takes(".", &text) != nil else { return 0 }
        var (value, weight, hasDigits) = (0, 100, false)
        while let digit = number(1, &text) {
            (value, weight, hasDigits) = (value + digit * weight, weight / 10, true)
        }
        return hasDigits ? value : nil
    }

    /// Reads the whole text as a time zone. Returns by how many minutes the zone is ahead of UTC; nil if the text is not a time
    /// zone.
    private static func offset(_ text: Substring.UTF8View) -> Int? {
        var rest = text
        switch takes("Zz+-", &rest) {
        case UInt8(ascii: "Z"), UInt8(ascii: "z"): return rest.isEmpty ? 0 : nil
        case let sign?:
            guard let hours = number(2, &rest), hours < 24, takes(":", &rest) != nil,
                let minutes = number(2, &rest), minutes < 60, rest.isEmpty
            else { return nil }
            return (sign == UInt8(ascii: "-") ? -1 : 1) * (hours * 60 + minutes)
        case nil: return text.elementsEqual(zone.utf8) ? 0 : nil
        }
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
