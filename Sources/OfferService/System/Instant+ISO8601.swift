import EligibilityRules
import FoundationEssentials

extension Instant {
    /// `2020-05-18T10:50:00Z`.
    package var iso8601: String { Date(timeIntervalSince1970: Double(milliseconds / 1000)).formatted(.iso8601) }
}
