import EligibilityRules
import FoundationEssentials
import OfferService
import WireText

/// A point in time as a date and a time of day in the reader's time zone.
struct MomentFields: Equatable {
    private static let separator: Character = "|"

    let date: String
    let time: String
    /// The chosen one of two instants, `0` or `1`, where clocks show the same time twice; empty: no choice.
    let which: String

    init(date: String, time: String, which: String = "") {
        self.date = date
        self.time = time
        self.which = which
    }

    /// Reads the draft's value.
    init(_ value: JSONValue?, in zone: TimeZone) {
        let text = FormValue.shown(value)
        if let instant = Self.instant(text) {
            let local = LocalMoment(instant, in: zone)
            let all = LocalMoment.instants(date: local.date, time: local.time, in: zone) ?? []
            let place = all.count > 1 ? all.firstIndex(of: instant) : nil
            self.init(date: local.date, time: local.time, which: place.map { "\($0)" } ?? "")
        } else {
            // Input that is not a date.
            let parts = text.split(separator: Self.separator, maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            self.init(date: parts.first ?? "", time: parts.count > 1 ? parts[1] : "")
        }
    }

    /// Returns the value as the draft keeps it, in UTC.
    ///
    /// - Parameters:
    ///   - before: the draft's value when the form was made. Its spelling stays if the inputs are unchanged.
    ///   - isEnd: whether a date without a time means the last minute of the day.
    func json(_ before: JSONValue?, in zone: TimeZone, isEnd: Bool) -> JSONValue? {
        if date.isEmpty, time.isEmpty { return nil }
        if let before, Self.instant(FormValue.shown(before)) != nil, MomentFields(before, in: zone) == self { return before }
        if let instant = instant(in: zone, isEnd: isEnd) { return .string(instant.exactISO8601) }
        return .string("\(date)\(Self.separator)\(time)")
    }

    /// Returns the instants at which clocks show the date and time; nil if either is invalid.
    func instants(in zone: TimeZone, isEnd: Bool) -> [Instant]? {
        LocalMoment.instants(date: date, time: time.isEmpty ? (isEnd ? "23:59" : "00:00") : time, in: zone)
    }

    /// Returns the single instant that is meant; nil if there is none, or two without a choice.
    func instant(in zone: TimeZone, isEnd: Bool) -> Instant? {
        guard let all = instants(in: zone, isEnd: isEnd) else { return nil }
        if all.count < 2 { return all.first }
        return Int(which).flatMap { all.indices.contains($0) ? all[$0] : nil }
    }

    /// Returns why the fields name no instant, and what to do.
    func fault(in zone: TimeZone, isEnd: Bool) -> String {
        let shown = "\(date) \(time)".trimmed
        switch instants(in: zone, isEnd: isEnd) {
        case []?: return "Clocks skip “\(shown)” in \(zone.label). Give another time."
        case let all? where all.count > 1:
            let times = all.map { LocalMoment($0, in: .gmt).time }.joined(separator: " and at ")
            return "“\(shown)” comes twice in \(zone.label), at \(times) UTC. Choose which one is meant."
        default: return "“\(shown)” is not a date. Give a day and a time, or leave both empty."
        }
    }

    /// Returns the instant that a text of the draft names.
    static func instant(_ text: String) -> Instant? {
        if case .at(let instant)? = ConditionTime(text) { instant } else { nil }
    }
}
