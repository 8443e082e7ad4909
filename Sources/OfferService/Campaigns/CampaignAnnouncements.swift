import EligibilityRules
import OfferStore
import WireText

/// Which verdicts on a campaign the audit log has recorded, and when.
///
/// A count records a verdict only if it differs from the verdict that was recorded last, and if the same code was not recorded
/// within the last day. For example, a verdict that comes and goes is recorded when it first comes and when it first goes, and
/// then not again before a day has passed.
struct CampaignAnnouncements: Equatable {
    private static let pause: Int64 = 24 * 3_600_000
    private static let noVerdict = ExperimentVerdict.Code.noVerdictYet.rawValue
    private static let splitOff = ExperimentVerdict.Code.sampleRatioMismatch.rawValue
    private static let asPlanned = "as-planned"

    /// The verdict that was recorded last: its code and, if there is a winner, a space and the winner.
    private var verdict = noVerdict
    private var split = asPlanned
    /// When each code was last recorded.
    private var times: [String: Instant] = [:]

    /// Returns the events that are to be recorded after a count, and remembers them as recorded.
    mutating func events(after report: ExperimentReport, _ name: CampaignName) -> [AuditEvent] {
        let (found, now) = (report.results.verdict, report.asOf)
        var events: [AuditEvent] = []
        func add(_ action: AuditAction, _ code: String, _ words: String) {
            let after = JSONValue.members(["code": .string(code), "words": .string(words)])
            events.append(
                Origin.service.event(
                    action, at: now, partition: AppPartition(bundleID: name.bundleID),
                    object: AuditObject(name.id, after: String(decoding: after.bytes, as: UTF8.self))))
        }
        let isOff = report.results.sampleRatio.isOff
        if note(isOff ? Self.splitOff : Self.asPlanned, code: isOff ? Self.splitOff : Self.asPlanned, \.split, at: now) {
            add(.splitOff, split, isOff ? found.sentence : "The variants get the customers that they should again.")
        }
        // While the split is off, the report does not say how the variants compare, so the verdict that was recorded last stays.
        guard !isOff else { return events }
        let code = found.isFinal ? found.code.rawValue : Self.noVerdict
        if note(([code] + [found.variant].compactMap(\.self)).joined(separator: " "), code: code, \.verdict, at: now) {
            add(.campaignVerdict, code, found.sentence)
        }
        return events
    }

    /// Returns whether the news differs from what was recorded last and may be recorded now.
    ///
    /// If so, it counts as recorded from now on.
    private mutating func note(
        _ news: String,
        code: String,
        _ last: WritableKeyPath<CampaignAnnouncements, String>,
        at now: Instant
    ) -> Bool {
        guard news != self[keyPath: last], times[code].map({ now.milliseconds(since: $0) >= Self.pause }) ?? true else {
            return false
        }
        self[keyPath: last] = news
        times[code] = now
        return true
    }
}

extension CampaignAnnouncements {
    var json: JSONValue {
        .members([
            "verdict": .string(verdict), "split": .string(split),
            "times": .object(times.sorted { $0.key < $1.key }.map { JSONValue.Member(name: $0, value: .instant($1)) }),
        ])
    }

    init(_ json: JSONValue) {
        verdict = json.memberText("verdict") ?? verdict
        split = json.memberText("split") ?? split
        guard let known = json.member("times"), case .object(let members) = known else { return }
        for member in members { times[member.name] = known.memberNumber(member.name).map(Instant.init) }
    }
}

extension ExperimentVerdict {
    /// Whether the verdict says how the variants compare.
    package var isFinal: Bool { code == .winner || code == .noDifference }
}
