import EligibilityRules
import OfferService
import WireText

/// The text of a new campaign that gives the winner of a test to everybody whom the test was about.
enum WinnerDraft {
    private static let maxID = 64

    /// Nil where the text has no such variant.
    ///
    /// - Parameters:
    ///   - json: of the test, as it is published.
    ///   - taken: ids that other campaigns have.
    static func json(_ json: JSONValue, winner: String, taken: Set<String>, at now: Instant) -> JSONValue? {
        guard case .array(let variants)? = json.member("variants"),
            let variant = variants.first(where: { FormValue.shown($0.member("id")) == winner })
        else { return nil }
        let priority = Int(FormValue.shown(json.member("priority"))) ?? 0
        return json.setting("id", .string(id(after: FormValue.shown(json.member("id")), taken)))
            .setting("name", .string("\(FormValue.shown(json.member("name"))): \(winner) for all"))
            .setting("variants", .array([variant.setting("weight", .integer(Bucket.count))]))
            .setting("enrolment", .integer(Bucket.count)).setting("holdout", nil)
            // Nothing is compared any more.
            .setting("analysis", nil)
            // Where both are of one group it comes first.
            .setting("priority", .integer(priority + 1)).setting("schedule", schedule(json, now))
    }

    /// The next that is free: `spring-winback-2`.
    private static func id(after id: String, _ taken: Set<String>) -> String {
        let parts = id.split(separator: "-")
        let base = parts.count > 1 && parts.last.flatMap { Int($0) } != nil ? parts.dropLast().joined(separator: "-") : id
        return (2...).lazy.map { number in
            let end = "-\(number)"
            return base.prefix(maxID - end.utf8.count) + end
        }.map(String.init).first { !taken.contains($0) && $0 != id }!
    }

    /// It begins when it is published; the end stays if it lies ahead.
    private static func schedule(_ json: JSONValue, _ now: Instant) -> JSONValue? {
        guard let end = CampaignText(json: json).campaign?.schedule.until, end > now else { return nil }
        return .members(["until": json.member("schedule")?.member("until")])
    }
}
