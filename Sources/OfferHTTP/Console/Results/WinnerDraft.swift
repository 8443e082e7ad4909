import EligibilityRules
import OfferService
import WireText

/// The text of a new campaign that gives the winner of a test to all customers of the test.
enum WinnerDraft {
    private static let maxID = 64

    /// Returns nil if the test has no such variant.
    ///
    /// - Parameters:
    ///   - json: the published text of the test.
    ///   - taken: the ids of other campaigns.
    static func json(_ json: JSONValue, winner: String, taken: Set<String>, at now: Instant) -> JSONValue? {
        guard case .array(let variants)? = json.member("variants"),
            let variant = variants.first(where: { FormValue.shown($0.member("id")) == winner })
        else { return nil }
        let priority = Int(FormValue.shown(json.member("priority"))) ?? 0
        return json.setting("id", .string(id(after: FormValue.shown(json.member("id")), taken)))
            .setting("name", .string("\(FormValue.shown(json.member("name"))): \(winner) for all"))
            .setting("variants", .array([variant.setting("weight", .integer(Bucket.count))]))
            .setting("enrolment", .integer(Bucket.count)).setting("holdout", nil)
            // The new campaign compares nothing.
            .setting("analysis", nil).setting("hypothesis", nil)
            // In a common group, the new campaign takes precedence.
            .setting("priority", .integer(priority + 1)).setting("schedule", schedule(json, now))
    }

    /// Returns the next free id: `spring-winback-2`.
    private static func id(after id: String, _ taken: Set<String>) -> String {
        let parts = id.split(separator: "-")
        let base = parts.count > 1 && parts.last.flatMap { Int($0) } != nil ? parts.dropLast().joined(separator: "-") : id
        return (2...).lazy.map { number in
            let end = "-\(number)"
            return base.prefix(maxID - end.utf8.count) + end
        }.map(String.init).first { !taken.contains($0) && $0 != id }!
    }

    /// Returns a schedule without a start, so that the campaign begins when it is published. An end that lies ahead stays.
    private static func schedule(_ json: JSONValue, _ now: Instant) -> JSONValue? {
        guard let end = CampaignText(json: json).campaign?.schedule.until, end > now else { return nil }
        return .members(["until": json.member("schedule")?.member("until")])
    }
}
