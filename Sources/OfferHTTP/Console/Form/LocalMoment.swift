import EligibilityRules
import Foundation
import OfferService

/// A point in time as the clocks of a place show it.
struct LocalMoment {
    /// The date: `2026-12-01`.
    let date: String
    /// The time: `09:00`; with seconds and ms unless they are zero.
    let time: String

    /// Converts an instant to local time.
    init(_ instant: Instant, in zone: TimeZone) {
        let parts = zone.shown(at: instant).exactISO8601.dropLast().split(separator: "T").map(String.init)
        date = parts[0]
        time = parts[1].hasSuffix(":00") ? String(parts[1].prefix(5)) : parts[1]
    }

    /// Returns the instants at which clocks show the time: none where they skip it, two where they repeat it. Returns nil if the
    /// date or the time is invalid.
    static func instants(date: String, time: String, in zone: TimeZone) -> [Instant]? {
        guard let shown = Instant(iso8601: "\(date)T\(time)\(time.utf8.count == 5 ? ":00" : "")Z") else { return nil }
        // The offsets before and after: no place is further than 25 hours from UTC, or changes its clocks twice in that time.
        let candidates = [-25, 25].map { hours in
            let near = shown.advanced(by: hours * 3_600_000)
            return shown.advanced(by: near.milliseconds - zone.shown(at: near).milliseconds)
        }
        return Set(candidates).filter { zone.shown(at: $0) == shown }.sorted()
    }
}

extension TimeZone {
    /// Returns what the clocks show, as an instant at which the clocks of UTC show the same.
    func shown(at instant: Instant) -> Instant {
        let seconds = secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant.milliseconds) / 1000))
        return instant.advanced(by: Int64(seconds) * 1000)
    }
}
