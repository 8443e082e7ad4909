import EligibilityRules

/// The customers of an app who have asked for offers in the last days.
struct AskingCustomers: Sendable {
    private static let day: Int64 = 24 * 3_600_000

    private let now: Instant
    /// For each customer the days on which the customer asked, as bits: bit 0 is the 24 hours before now.
    private var asked: [String: UInt32] = [:]
    private var earliest: Instant
    private var truncated: Instant?

    init(now: Instant) {
        self.now = now
        earliest = now
    }

    /// Records that a customer asked.
    ///
    /// Returns false if the customer asked before the days that are looked at.
    mutating func note(_ customer: String, at instant: Instant) -> Bool {
        let day = max(0, now.milliseconds(since: instant)) / Self.day
        guard day < AskingDays.maximum else { return false }
        asked[customer, default: 0] |= 1 << UInt32(day)
        earliest = min(earliest, instant)
        return true
    }

    /// Records that questions before an instant were not read.
    mutating func truncate(at instant: Instant) { truncated = max(truncated ?? instant, instant) }

    /// For how many of the last days every question was read. From seven days on, the number is rounded down to whole weeks.
    var days: Int {
        let known = Int(now.milliseconds(since: truncated ?? earliest) / Self.day)
        // If every question was read, the day of the earliest question counts as a whole day. For example, the first question in
        // four weeks may come an hour after those four weeks begin.
        let rounded = truncated == nil ? known + 1 : known
        return rounded < AskingDays.minimum
            ? known : min(rounded / AskingDays.minimum * AskingDays.minimum, AskingDays.maximum)
    }

    /// How many customers asked in the last `days` days.
    func count(in days: Int) -> Int { asked.keys.count { firstDay(of: $0, in: days) != nil } }

    /// On which of the last `days` days a customer first asked. 0 is the earliest of these days; nil if the customer did not ask.
    func firstDay(of customer: String, in days: Int) -> Int? {
        let asked = (asked[customer] ?? 0) & (UInt32(1) << UInt32(days) - 1)
        return asked == 0 ? nil : days - 1 - (31 - asked.leadingZeroBitCount)
    }
}
