package import EligibilityRules
package import WireText

/// How a campaign is doing, as last counted in the background.
package struct CampaignFigures: Equatable, Sendable {
    /// The counts of a variant.
    package struct Variant: Equatable, Sendable {
        package let id: String
        /// The number of units that were exposed to the variant.
        package let exposed: Int
        /// The number of exposed units whose goal window is over.
        package let matured: Int
        /// The number of matured units that reached the goal.
        package let converted: Int
    }

    /// How much is used of the campaign's limit for all customers together.
    package struct Total: Equatable, Sendable {
        package let used: Int
        package let max: Int

        package var isUsedUp: Bool { used >= max }
    }

    /// The number of the campaign's latest revision at the time of the count.
    package let revision: Int
    package let asOf: Instant
    /// In the order of the plan, the control first.
    package let variants: [Variant]
    package let verdict: ExperimentVerdict.Code
    /// The verdict as a sentence.
    package let sentence: String
    /// The id of the winning variant; nil if the verdict names no winner.
    package let winner: String?
    /// Whether another variant than the winner earns more so far.
    package let moneyDisagrees: Bool
    package let isSplitOff: Bool
    /// The number of units exposed per day lately; nil if no more will come, or if the pace is not known.
    package let unitsPerDay: Double?
    /// The number of days until a verdict is likely; nil in the same cases as in `ExperimentResults`.
    package let daysNeeded: Int?
    /// The uses of the limit for all customers together; nil if the campaign has no such limit.
    package let total: Total?
    /// Which verdicts of earlier counts the audit log has recorded.
    let announced: CampaignAnnouncements

    /// The number of units that were exposed to any variant.
    package var exposed: Int { variants.reduce(0) { $0 + $1.exposed } }
}

extension CampaignFigures {
    /// Makes the figures from a count.
    init(_ report: ExperimentReport, total: Total?, announced: CampaignAnnouncements) {
        let (results, verdict) = (report.results, report.results.verdict)
        self.init(
            revision: report.revisions.numbers.upperBound, asOf: report.asOf,
            variants: zip(results.variants, report.tallies).map { line, tally in
                Variant(id: line.tally.id, exposed: tally.exposed, matured: tally.matured, converted: tally.converted)
            },
            verdict: verdict.code, sentence: verdict.sentence, winner: verdict.variant,
            moneyDisagrees: verdict.moneyDisagrees, isSplitOff: results.sampleRatio.isOff,
            unitsPerDay: report.pace?.unitsPerDay, daysNeeded: report.daysNeeded, total: total, announced: announced)
    }
}

extension CampaignFigures {
    /// The figures, as the API shows them.
    package var json: JSONValue { .object(members) }

    /// The figures as they are stored.
    var stored: JSONValue { .object(members + [JSONValue.Member(name: "announced", value: announced.json)]) }

    private var members: [JSONValue.Member] {
        let verdict = JSONValue.members([
            "code": .string(verdict.rawValue), "sentence": .string(sentence), "variant": winner.map(JSONValue.string),
            "moneyDisagrees": .bool(moneyDisagrees),
        ])
        let all = JSONValue.members([
            "asOf": .instant(asOf), "revision": .integer(revision), "exposed": .integer(exposed),
            "variants": .array(
                variants.map { variant in
                    .members([
                        "id": .string(variant.id), "exposed": .integer(variant.exposed), "matured": .integer(variant.matured),
                        "converted": .integer(variant.converted),
                    ])
                }), "verdict": verdict, "isSplitOff": .bool(isSplitOff), "unitsPerDay": unitsPerDay.map { .number("\($0)") },
            "daysNeeded": daysNeeded.map { .integer($0) },
            "total": total.map { .members(["used": .integer($0.used), "max": .integer($0.max)]) },
        ])
        guard case .object(let members) = all else { return [] }
        return members
    }

    /// Reads stored figures; nil if another release has written them in a form that this one does not know.
    init?(stored bytes: [UInt8]) {
        guard let json = try? JSONValue(parsing: bytes), let revision = json.memberNumber("revision"),
            let asOf = json.memberNumber("asOf"),
            case .array(let variants)? = json.member("variants"), let verdict = json.member("verdict"),
            let code = verdict.memberText("code").flatMap(ExperimentVerdict.Code.init),
            let sentence = verdict.memberText("sentence"),
            case .bool(let isSplitOff)? = json.member("isSplitOff"), let announced = json.member("announced")
        else { return nil }
        self.init(
            revision: Int(revision), asOf: Instant(milliseconds: asOf), variants: variants.compactMap(Variant.init),
            verdict: code, sentence: sentence, winner: verdict.memberText("variant"),
            moneyDisagrees: verdict.member("moneyDisagrees") == .bool(true), isSplitOff: isSplitOff,
            unitsPerDay: json.member("unitsPerDay").flatMap { if case .number(let text) = $0 { Double(text) } else { nil } },
            daysNeeded: json.memberNumber("daysNeeded").map(Int.init), total: json.member("total").flatMap(Total.init),
            announced: CampaignAnnouncements(announced))
    }
}

extension CampaignFigures.Variant {
    fileprivate init?(_ json: JSONValue) {
        guard let id = json.memberText("id"), let exposed = json.memberNumber("exposed"),
            let matured = json.memberNumber("matured"),
            let converted = json.memberNumber("converted")
        else { return nil }
        self.init(id: id, exposed: Int(exposed), matured: Int(matured), converted: Int(converted))
    }
}

extension CampaignFigures.Total {
    fileprivate init?(_ json: JSONValue) {
        guard let used = json.memberNumber("used"), let max = json.memberNumber("max") else { return nil }
        self.init(used: Int(used), max: Int(max))
    }
}
