import ArgumentParser
import EligibilityRules
import FoundationEssentials

extension Instant {
    /// Reads a time such as `2020-05-18T10:50:00Z`.
    init(iso8601 text: String) throws {
        guard let date = try? Date.ISO8601FormatStyle().parse(text) else {
            throw ValidationError("\(text) is not a time such as 2020-05-18T10:50:00Z")
        }
        self.init(milliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded()))
    }
}
