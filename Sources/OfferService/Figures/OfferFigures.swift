package import EligibilityRules
import OfferStore

/// How many offers were signed and refused in the last 24 hours, to the minute.
package struct OfferFigures: Sendable {
    /// One app's.
    package struct OfApp: Equatable, Sendable {
        package let bundleID: String
        package fileprivate(set) var signed = 0
        package fileprivate(set) var refused = 0
    }

    /// Refusals for the same reason.
    package struct Refusal: Equatable, Sendable {
        /// The code of the reason.
        package let code: String
        package let offers: Int
    }

    /// When they were counted.
    package let at: Instant
    /// Since when; later than a day ago as long as the store is still being counted.
    package let since: Instant
    /// Whether that is a day.
    package let isWhole: Bool
    private let signed: [AuditTally.Part]
    private let refused: [AuditTally.Part]

    init(at: Instant, firstMinute: Int64, isWhole: Bool, signed: [AuditTally.Part], refused: [AuditTally.Part]) {
        self.at = at
        since = Instant(milliseconds: firstMinute * 60_000)
        self.isWhole = isWhole
        self.signed = signed
        self.refused = refused
    }

    /// By app, of those that somebody may see, sorted; an app of which there is nothing has no line.
    package func apps(_ isSeen: (String) -> Bool) -> [OfApp] {
        var apps: [String: OfApp] = [:]
        for part in signed where isSeen(part.bundleID) {
            apps[part.bundleID, default: OfApp(bundleID: part.bundleID)].signed += part.offers
        }
        for part in refused where isSeen(part.bundleID) {
            apps[part.bundleID, default: OfApp(bundleID: part.bundleID)].refused += part.offers
        }
        return apps.values.sorted { $0.bundleID < $1.bundleID }
    }

    /// By reason, the most frequent first.
    package func refusals(_ isSeen: (String) -> Bool) -> [Refusal] {
        var offers: [String: Int] = [:]
        for part in refused where isSeen(part.bundleID) { offers[part.outcome, default: 0] += part.offers }
        return offers.map { Refusal(code: $0.key, offers: $0.value) }.sorted { ($1.offers, $0.code) < ($0.offers, $1.code) }
    }

    /// Signatures by minute, of so many minutes up to the present one, the oldest first; nil if not so much is counted.
    package func signatures(ofLast count: Int, _ isSeen: (String) -> Bool) -> [Int]? {
        let first = at.milliseconds / 60_000 - Int64(count) + 1
        guard since.milliseconds <= first * 60_000 else { return nil }
        var minutes = [Int](repeating: 0, count: count)
        for part in signed where part.minute >= first && isSeen(part.bundleID) {
            // What a clock that is ahead has written.
            minutes[min(Int(part.minute - first), count - 1)] += part.offers
        }
        return minutes
    }
}
