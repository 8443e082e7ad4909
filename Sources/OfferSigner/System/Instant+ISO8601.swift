import ArgumentParser
import EligibilityRules
import FoundationEssentials

extension Instant {
    /// `2020-05-18T10:50:00Z`.
    var iso8601: String { Date(timeIntervalSince1970: Double(milliseconds / 1000)).formatted(.iso8601) }

    /// Reads such a text.
    init(iso8601 text: String) throws {
        guard let date = try? Date.ISO8601FormatStyle().parse(text) else {
            throw ValidationError("\(text) is no time such as 2020-05-18T10:50:00Z")
        }
        self.init(milliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded()))
    }
}
