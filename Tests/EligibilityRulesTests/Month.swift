import EligibilityRules

/// The calendar of the decision table: months of 30 days, the first of which begins with 2026.
enum Month {
    static let day: Int64 = 24 * 3600 * 1000

    /// The instant at which so many days of a month have passed.
    static func start(_ month: Int, day days: Int64 = 0) -> Instant {
        Instant(milliseconds: 1_767_225_600_000).advanced(by: (Int64(month - 1) * 30 + days) * day)
    }

    /// When every row of the table is asked: in the middle of month 6.
    static let now = start(6, day: 15)
}
