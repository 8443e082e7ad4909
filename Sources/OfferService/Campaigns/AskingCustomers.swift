import EligibilityRules

/// The customers of an app who have asked for offers in the last days.
struct AskingCustomers: Sendable {
    private static let day: Int64 = 24 * 3_600_000

    private let now: Instant
    /// For each customer the days on which it asked: bit 0 is the 24 hours before now.
    private var asked: [String: UInt32] = [:]
    private var earliest: Instant
    private var truncated: Instant?

    init(now: Instant) {
        self.now = now
        earliest = now
    }

    /// Notes that a customer asked. Returns whether that was within the days that are looked at.
    mutating func note(_ customer: String, at instant: Instant) -> Bool {
        let day = max(0, now.milliseconds(since: instant)) / Self.day
        guard day < AskingDays.maximum else { return false }
        asked[customer, default: 0] |= 1 << UInt32(day)
        earliest = min(earliest, instant)
        return true
    }

    /// Notes that questions before an instant were not looked at.
    mutating func truncate(at instant: Instant) { truncated = max(truncated ?? instant, instant) }

    /// How many days are known: whole weeks, or less than one.
    var days: Int {
        let known = Int(now.milliseconds(since: truncated ?? earliest) / Self.day)
        // The first question of four weeks may lie an hour after their beginning.
        let rounded = truncated == nil ? known + 1 : known
        return rounded < AskingDays.minimum
            ? known : min(rounded / AskingDays.minimum * AskingDays.minimum, AskingDays.maximum)
    }

    /// The first of these days on which a customer asked, from 0; nil if it did not.
    func firstDay(of customer: String, in days: Int) -> Int? {
        let asked = (asked[customer] ?? 0) & (UInt32(1) << UInt32(days) - 1)
        return asked == 0 ? nil : days - 1 - (31 - asked.leadingZeroBitCount)
    }
}
