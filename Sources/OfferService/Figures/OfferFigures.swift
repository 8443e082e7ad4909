package import EligibilityRules
import OfferStore

/// The numbers of offers that were signed and refused in the last 24 hours, to the minute.
package struct OfferFigures: Sendable {
    /// The figures of one app.
    package struct OfApp: Equatable, Sendable {
        /// The name of its partition.
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

    /// The time of the count.
    package let at: Instant
    /// The start of the period; later than a day ago while the store is still being counted.
    package let since: Instant
    /// Whether the period is a whole day.
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

    /// The figures by app, sorted. An app without offers is left out.
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

    /// The refusals by reason, the most frequent first.
    package func refusals(_ isSeen: (String) -> Bool) -> [Refusal] {
        var offers: [String: Int] = [:]
        for part in refused where isSeen(part.partition.name) { offers[part.outcome, default: 0] += part.offers }
        return offers.map { Refusal(code: $0.key, offers: $0.value) }.sorted { ($1.offers, $0.code) < ($0.offers, $1.code) }
    }

    /// The signatures of each of the last `count` minutes, the oldest first; nil if the period is shorter.
    package func signatures(ofLast count: Int, _ isSeen: (String) -> Bool) -> [Int]? {
        let first = at.milliseconds / 60_000 - Int64(count) + 1
        guard since.milliseconds <= first * 60_000 else { return nil }
        var minutes = [Int](repeating: 0, count: count)
        for part in signed where part.minute >= first && isSeen(part.partition.name) {
            // Rows of a clock that is ahead count for the last minute.
            minutes[min(Int(part.minute - first), count - 1)] += part.offers
        }
        return minutes
    }
}
