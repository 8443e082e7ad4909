import EligibilityRules
import Foundation
import FoundationEssentials
import OfferService
import WireText

/// A point in time as the form's inputs have it: a date and a time of day in the reader's time zone.
struct MomentFields: Equatable {
    private static let separator: Character = "|"

    let date: String
    let time: String
    /// Which of two instants is meant, if clocks show the same time twice because they are set back: `0` for the first, `1` for
    /// the second. It is empty if the user has not chosen.
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
            // Input that is not a valid date and time is kept in the draft as `date|time`.
            let parts = text.split(separator: Self.separator, maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            self.init(date: parts.first ?? "", time: parts.count > 1 ? parts[1] : "")
        }
    }

    /// Returns the value as a draft keeps it: the instant in UTC or, if the input names no instant, the typed text. Returns nil
    /// if nothing is typed.
    ///
    /// - Parameters:
    ///   - before: the draft's value when the form was made. If the inputs still name the same instant, its spelling is kept.
    ///   - isEnd: whether a date without a time means the last minute of the day.
    func json(_ before: JSONValue?, in zone: TimeZone, isEnd: Bool) -> JSONValue? {
        if date.isEmpty, time.isEmpty { return nil }
        if let before, Self.instant(FormValue.shown(before)) != nil, MomentFields(before, in: zone) == self { return before }
        if let instant = instant(in: zone, isEnd: isEnd) { return .string(instant.exactISO8601) }
        return .string("\(date)\(Self.separator)\(time)")
    }

    /// Returns the instants at which local clocks show the date and the time; nil if one of the two is invalid.
    func instants(in zone: TimeZone, isEnd: Bool) -> [Instant]? {
        LocalMoment.instants(date: date, time: time.isEmpty ? (isEnd ? "23:59" : "00:00") : time, in: zone)
    }

    /// Returns the instant that is meant; nil if there is none, or if there are two and the user has not chosen one.
    func instant(in zone: TimeZone, isEnd: Bool) -> Instant? {
        guard let all = instants(in: zone, isEnd: isEnd) else { return nil }
        if all.count < 2 { return all.first }
        return Int(which).flatMap { all.indices.contains($0) ? all[$0] : nil }
    }

    /// Returns a sentence that says why the inputs name no instant, and what to do.
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

    /// Returns the instant that a draft's text names; nil if it names none.
    static func instant(_ text: String) -> Instant? {
        if case .at(let instant)? = ConditionTime(text) { instant } else { nil }
    }
}

/// A point in time as the clocks of a place show it.
struct LocalMoment {
    /// The date: `2026-12-01`.
    let date: String
    /// The time, such as `09:00`.
    ///
    /// It has seconds and milliseconds only if they are not zero.
    let time: String

    /// Converts an instant to local time.
    init(_ instant: Instant, in zone: TimeZone) {
        let parts = zone.shown(at: instant).exactISO8601.dropLast().split(separator: "T").map(String.init)
        date = parts[0]
        time = parts[1].hasSuffix(":00") ? String(parts[1].prefix(5)) : parts[1]
    }

    /// Returns the instants at which clocks show the date and the time; nil if one of the two is invalid.
    ///
    /// When clocks are set forward, they skip a time, so there is no such instant. When they are set back, there are two.
    static func instants(date: String, time: String, in zone: TimeZone) -> [Instant]? {
        guard let shown = Instant(iso8601: "\(date)T\(time)\(time.utf8.count == 5 ? ":00" : "")Z") else { return nil }
        // The offsets from UTC a day before and a day after are tried. That is enough, because no place changes its clocks twice
        // within two days.
        let candidates = [-25, 25].map { hours in
            let near = shown.advanced(by: Int64(hours) * 3_600_000)
            return shown.advanced(by: near.milliseconds - zone.shown(at: near).milliseconds)
        }
        return Set(candidates).filter { zone.shown(at: $0) == shown }.sorted()
    }
}

extension TimeZone {
    /// Returns the instant at which clocks in UTC show what the clocks of this zone show at `instant`.
    func shown(at instant: Instant) -> Instant {
        let seconds = secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant.milliseconds) / 1000))
        return instant.advanced(by: Int64(seconds) * 1000)
    }
}
