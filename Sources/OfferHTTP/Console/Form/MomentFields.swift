import EligibilityRules
import OfferService
import WireText

/// A point in time as a date and a time of day in the reader's time zone.
struct MomentFields: Equatable {
    private static let separator: Character = "|"

    let date: String
    let time: String

    /// Takes the values as they are.
    init(date: String, time: String) {
        self.date = date
        self.time = time
    }

    /// Of what the draft says.
    init(_ value: JSONValue?, in zone: TimeZoneRules) {
        let text = FormValue.shown(value)
        if let instant = Self.instant(text) {
            let local = LocalMoment(instant, in: zone)
            self.init(date: local.date, time: local.time)
        } else {
            // What somebody typed that is no date.
            let parts = text.split(separator: Self.separator, maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            self.init(date: parts.first ?? "", time: parts.count > 1 ? parts[1] : "")
        }
    }

    /// As the draft says it, in UTC.
    ///
    /// - Parameters:
    ///   - before: what the draft said when the form was made: it stays where the inputs are as they were, also in the hour that the
    ///     end of summer time repeats.
    ///   - isEnd: whether a date without a time means the last minute of the day.
    func json(_ before: JSONValue?, in zone: TimeZoneRules, isEnd: Bool) -> JSONValue? {
        if date.isEmpty, time.isEmpty { return nil }
        if let before, MomentFields(before, in: zone) == self { return before }
        if let instant = LocalMoment.instant(date: date, time: time.isEmpty ? (isEnd ? "23:59" : "00:00") : time, in: zone) {
            return .string(instant.exactISO8601)
        }
        return .string("\(date)\(Self.separator)\(time)")
    }

    /// The instant that a text of the draft names.
    static func instant(_ text: String) -> Instant? {
        if case .at(let instant)? = ConditionTime(text) { instant } else { nil }
    }
}
