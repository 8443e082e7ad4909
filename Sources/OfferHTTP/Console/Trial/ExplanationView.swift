import EligibilityRules
import OfferService

/// One campaign tried on a customer: the result, and everything that was checked.
struct ExplanationView {
    private static let maxIndent = 4

    let explanation: CampaignExplanation
    let number: Int
    let visit: CampaignVisit

    private var campaign: Campaign { explanation.revision.campaign }

    /// The values for the template.
    var values: [String: Any] {
        let buckets = Bucket.Purpose.allCases.compactMap { purpose in explanation.buckets[purpose].map { bucket(purpose, $0) } }
        return [
            "number": number, "name": campaign.name, "href": visit.path(campaign.id, "rule"), "tone": takes ? "good" : "idle",
            "revision": explanation.revision.number > 0 ? "revision \(explanation.revision.number)" : "the draft", "takes": takes,
            "word": word, "reasons": reasons, "conditions": conditions, "hasBuckets": !buckets.isEmpty, "buckets": buckets,
            "unit":
                "The places follow from the campaign’s id and \(unit). They never change, so the customer always gets the same variant.",
        ]
    }

    private var takes: Bool {
        if case .passedOver = explanation.allocation { false } else { true }
    }

    private var word: String {
        switch explanation.allocation {
        case .assigned(let index): "Takes this customer: \(campaign.variants[index].id)"
        case .heldOut: "Holds this customer out"
        case .passedOver: "Passed over"
        }
    }

    private var unit: String {
        switch campaign.unit {
        case .customer: "your own id of the customer"
        case .appTransaction: "the Apple account"
        case .originalTransaction: "the customer’s first transaction id"
        }
    }

    /// The reasons that the campaign was passed over, with failed conditions of the audience.
    private var reasons: [String] {
        explanation.obstacles.map { obstacle in
            switch obstacle {
            case .audience:
                let failed = explanation.audience?.obstacles() ?? []
                let words = failed.prefix(3).map { trace -> String in
                    guard case .test(let test) = trace.kind else { return trace.words.firstUppercased }
                    return
                        "\(ConditionText.words(Condition.test(test).withKnownGroups(in: visit.app.catalogue))): here it is \(ConditionText.words(trace.value, of: test.subject))"
                }
                return "The customer does not fit. \(words.joined(separator: "; "))".firstUppercased
            case .notStarted:
                return "Not started. It begins \(campaign.schedule.from.map { "\(visit.time.plain($0)) UTC" } ?? "later")."
            case .ended: return "It ended \(campaign.schedule.until.map { "\(visit.time.plain($0)) UTC" } ?? "before")."
            case .exclusionGroup(let taker): return "“\(taker)” of the same group has this customer already."
            case .noUnit: return "It assigns variants by \(unit), which nothing proves."
            default: return explanation.words(obstacle).firstUppercased
            }
        }
    }

    private var conditions: [[String: Any]] { explanation.audience.map { lines($0, 0) } ?? [] }

    private func lines(_ trace: ConditionTrace, _ depth: Int) -> [[String: Any]] {
        let text: String
        var found: Any = false
        switch trace.kind {
        case .test(let test):
            text = ConditionText.words(Condition.test(test).withKnownGroups(in: visit.app.catalogue)).firstUppercased
            found = ConditionText.words(trace.value, of: test.subject)
        case .all: text = "All of these:"
        case .any: text = "At least one of these:"
        case .not: text = "Not this:"
        case .segment(let id): text = "In segment \(id):"
        }
        let tone =
            switch trace.truth {
            case .yes: "good"
            case .no: "bad"
            case .unknown: "warn"
            }
        let line: [String: Any] = ["tone": tone, "text": text, "found": found, "indent": "in-\(min(depth, Self.maxIndent))"]
        return [line] + trace.parts.flatMap { lines($0, depth + 1) }
    }

    private func bucket(_ purpose: Bucket.Purpose, _ bucket: Bucket) -> [String: Any] {
        let place = "place \(ConsoleTime.number(bucket.number)) of 10,000"
        let (label, text): (String, String) =
            switch purpose {
            case .holdout:
                (
                    bucket.number < campaign.holdout ? "Held out: yes" : "Held out: no",
                    campaign.holdout > 0
                        ? "0 to \(ConsoleTime.number(campaign.holdout - 1)) are held out" : "no customer is held out"
                )
            case .enrol:
                (
                    bucket.number < campaign.enrolment ? "Let in: yes" : "Let in: no",
                    "\(SplitBar.percent(campaign.enrolment)) are let in"
                )
            case .variant: ("Variant: \(variant(bucket).name)", variant(bucket).range)
            }
        return [
            "label": label, "text": "\(place); \(text)", "alt": "\(place.firstUppercased) \(text).",
            "place": ConsoleTime.percent(bucket.number, of: Bucket.count), "bars": bars(purpose),
        ]
    }

    private func bars(_ purpose: Bucket.Purpose) -> [[String: Any]] {
        func bar(_ style: String, _ start: Int, _ end: Int) -> [String: Any] {
            [
                "class": style, "x": ConsoleTime.percent(start, of: Bucket.count),
                "width": ConsoleTime.percent(end - start, of: Bucket.count),
            ]
        }
        switch purpose {
        case .holdout: return [bar("held", 0, campaign.holdout), bar("v0 rest", campaign.holdout, Bucket.count)]
        case .enrol: return [bar("v1", 0, campaign.enrolment), bar("v0 rest", campaign.enrolment, Bucket.count)]
        case .variant:
            var start = 0
            return campaign.variants.enumerated().map { index, variant in
                defer { start += variant.weight }
                return bar(SplitBar.style(index), start, start + variant.weight)
            }
        }
    }

    private func variant(_ bucket: Bucket) -> (name: String, range: String) {
        var end = 0
        for variant in campaign.variants {
            let start = end
            end += variant.weight
            if bucket.number < end {
                return (variant.id, "\(ConsoleTime.number(start)) to \(ConsoleTime.number(end - 1)) get \(variant.id)")
            }
        }
        return ("none", "")
    }
}
