package import EligibilityRules
import OfferStore

/// How many offers were signed and refused in the last 24 hours, to the minute.
package struct OfferFigures: Sendable {
    /// One app's.
    package struct OfApp: Equatable, Sendable {
        /// Of its partition.
        package let name: String
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

    /// By app, sorted; an app without offers has no line.
    ///
    /// - Parameter isSeen: whether the partition of this name is to be counted.
    package func apps(_ isSeen: (String) -> Bool) -> [OfApp] {
        var apps: [String: OfApp] = [:]
        for part in signed where isSeen(part.partition.name) {
            apps[part.partition.name, default: OfApp(name: part.partition.name)].signed += part.offers
        }
        for part in refused where isSeen(part.partition.name) {
            apps[part.partition.name, default: OfApp(name: part.partition.name)].refused += part.offers
        }
        return apps.values.sorted { $0.name < $1.name }
    }

    /// By reason, the most frequent first.
    package func refusals(_ isSeen: (String) -> Bool) -> [Refusal] {
        var offers: [String: Int] = [:]
        for part in refused where isSeen(part.partition.name) { offers[part.outcome, default: 0] += part.offers }
        return offers.map { Refusal(code: $0.key, offers: $0.value) }.sorted { ($1.offers, $0.code) < ($0.offers, $1.code) }
    }

    /// Signatures by minute, of so many minutes up to the present one, the oldest first; nil if not so much is counted.
    package func signatures(ofLast count: Int, _ isSeen: (String) -> Bool) -> [Int]? {
        let first = at.milliseconds / 60_000 - Int64(count) + 1
        guard since.milliseconds <= first * 60_000 else { return nil }
        var minutes = [Int](repeating: 0, count: count)
        for part in signed where part.minute >= first && isSeen(part.partition.name) {
            // What a clock that is ahead has written.
            minutes[min(Int(part.minute - first), count - 1)] += part.offers
        }
        return minutes
    }
}
