package import EligibilityRules
import OfferStore

/// How many offers were signed and refused in the last 24 hours, by minute.
package struct OfferFigures: Sendable {
    /// The figures of one app.
    package struct OfApp: Equatable, Sendable {
        /// The name of the app's partition.
        package let name: String
        package fileprivate(set) var signed = 0
        package fileprivate(set) var refused = 0
    }

    /// The number of refusals for one reason.
    package struct Refusal: Equatable, Sendable {
        /// The code of the reason.
        package let code: String
        package let offers: Int
    }

    /// When the rows were counted.
    package let at: Instant
    /// The start of the period. It is less than a day ago as long as the first count has not covered a whole day.
    package let since: Instant
    /// Whether the period is a whole day long.
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

    /// The figures by app, in the order of the names. An app without signatures and refusals is left out.
    ///
    /// - Parameter isSeen: whether the partition with this name is included.
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

    /// The refusals by reason, the most frequent reason first.
    package func refusals(_ isSeen: (String) -> Bool) -> [Refusal] {
        var offers: [String: Int] = [:]
        for part in refused where isSeen(part.partition.name) { offers[part.outcome, default: 0] += part.offers }
        return offers.map { Refusal(code: $0.key, offers: $0.value) }.sorted { ($1.offers, $0.code) < ($0.offers, $1.code) }
    }

    /// The number of signatures in each of the last `count` minutes, the oldest first; nil if the period is shorter than that.
    package func signatures(ofLast count: Int, _ isSeen: (String) -> Bool) -> [Int]? {
        let first = at.milliseconds / 60_000 - Int64(count) + 1
        guard since.milliseconds <= first * 60_000 else { return nil }
        var minutes = [Int](repeating: 0, count: count)
        for part in signed where part.minute >= first && isSeen(part.partition.name) {
            // A row from a process whose clock is ahead counts for the last minute.
            minutes[min(Int(part.minute - first), count - 1)] += part.offers
        }
        return minutes
    }
}
