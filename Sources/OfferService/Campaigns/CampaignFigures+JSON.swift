import EligibilityRules
package import WireText

extension CampaignFigures {
    /// The figures, as the API shows them.
    package var json: JSONValue { .object(members) }

    /// The figures as they are stored.
    var stored: JSONValue { .object(members + [JSONValue.Member(name: "announced", value: announced.json)]) }

    private var members: [JSONValue.Member] {
        let verdict = JSONValue.members([
            "code": .string(verdict.rawValue), "sentence": .string(sentence), "variant": winner.map(JSONValue.string),
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
            verdict: code, sentence: sentence, winner: verdict.memberText("variant"), isSplitOff: isSplitOff,
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
