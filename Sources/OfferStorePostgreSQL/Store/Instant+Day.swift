import EligibilityRules

extension Instant {
    /// Milliseconds of a day.
    static let day: Int64 = 86_400_000

    /// The day since 1970.
    var day: Int64 { milliseconds / Self.day }
}
