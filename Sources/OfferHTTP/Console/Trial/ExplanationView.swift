import EligibilityRules
import OfferService

/// One campaign that was tried on a customer: the result, and everything that was checked for it.
struct ExplanationView: TemplateView {
    /// The position in the order in which campaigns are tried, from 1.
    let number: Int
    let name: String
    let href: String
    let tone: String
    let revision: String
    /// Whether the campaign decides what the customer gets, which may be an offer or none.
    let takes: Bool
    /// The result in words.
    let word: String
    /// Why the campaign was passed over, as sentences.
    let reasons: [String]
    let conditions: [ConditionLine]
    let hasBuckets: Bool
    let buckets: [BucketView]
    /// A sentence that says from which id the customer's buckets are computed.
    let unit: String

    init(explanation: CampaignExplanation, number: Int, visit: CampaignVisit) {
        let campaign = explanation.revision.campaign
        self.number = number
        name = campaign.name
        href = visit.path(campaign.id, "rule")
        takes = if case .passedOver = explanation.allocation { false } else { true }
        tone = takes ? "good" : "idle"
        revision = explanation.revision.number > 0 ? "revision \(explanation.revision.number)" : "the draft"
        word =
            switch explanation.allocation {
            case .assigned(let index): "Takes this customer: \(campaign.design.variants[index].label)"
            case .heldOut: "Holds this customer out"
            case .passedOver: "Passed over"
            }
        reasons = explanation.obstacles.map { Self.reason($0, explanation, visit) }
        conditions = explanation.audience.map { ConditionLine.all($0, in: visit.app.catalogue) } ?? []
        buckets = Bucket.Purpose.allCases.compactMap { purpose in
            explanation.buckets[purpose].map { BucketView(purpose, $0, of: campaign) }
        }
        hasBuckets = !buckets.isEmpty
        unit =
            "The places follow from the campaign’s id and \(Self.name(of: campaign.design.unit)). They never change, so the customer always gets the same variant."
    }

    private static func name(of unit: BucketingUnit) -> String {
        switch unit {
        case .customer: "your own id of the customer"
        case .appTransaction: "the Apple account"
        case .originalTransaction: "the customer’s first transaction id"
        }
    }

    private static func reason(
        _ obstacle: CampaignObstacle,
        _ explanation: CampaignExplanation,
        _ visit: CampaignVisit
    ) -> String {
        let campaign = explanation.revision.campaign
        switch obstacle {
        case .audience: return misfit(explanation.audience?.obstacles() ?? [], visit)
        case .notStarted:
            return "Not started. It begins \(campaign.schedule.from.map { "\(visit.time.plain($0)) UTC" } ?? "later")."
        case .ended: return "It ended \(campaign.schedule.until.map { "\(visit.time.plain($0)) UTC" } ?? "before")."
        case .exclusionGroup(let taker): return "“\(taker)” of the same group has this customer already."
        case .noUnit: return "It assigns variants by \(name(of: campaign.design.unit)), which nothing proves."
        default: return explanation.words(obstacle).firstUppercased
        }
    }

    /// Returns a sentence that says that the customer is not in the audience, and names the first conditions that do not hold.
    private static func misfit(_ failed: [ConditionTrace], _ visit: CampaignVisit) -> String {
        let words = failed.prefix(3).map { trace -> String in
            guard case .test(let test) = trace.kind else { return trace.words.firstUppercased }
            let condition = Condition.test(test).words(in: visit.app.catalogue)
            return "\(condition): here it is \(ConditionText.words(trace.value.map(test.subject.named), of: test.subject))"
        }
        return "The customer does not fit. \(words.joined(separator: "; "))".firstUppercased
    }
}

/// A condition of the audience, with what was found when it was checked on the customer.
struct ConditionLine: TemplateView {
    private static let maxIndent = 4

    let tone: String
    /// The condition in words.
    let text: String
    /// The value that was found for the customer; nil for a group of conditions.
    let found: String?
    /// The CSS class that indents the line by the condition's depth.
    let indent: String

    /// Creates the line of a condition itself, without the lines of its parts.
    private init(_ trace: ConditionTrace, depth: Int, in catalogue: Catalogue) {
        var value: String?
        switch trace.kind {
        case .test(let test):
            text = Condition.test(test).words(in: catalogue).firstUppercased
            value = ConditionText.words(trace.value.map(test.subject.named), of: test.subject)
        case .all: text = "All of these:"
        case .any: text = "At least one of these:"
        case .not: text = "Not this:"
        case .segment(let id): text = "In segment \(id):"
        }
        found = value
        tone =
            switch trace.truth {
            case .yes: "good"
            case .no: "bad"
            case .unknown: "warn"
            }
        indent = "in-\(min(depth, Self.maxIndent))"
    }

    /// Returns the line of a condition, followed by those of its parts.
    static func all(_ trace: ConditionTrace, depth: Int = 0, in catalogue: Catalogue) -> [ConditionLine] {
        [ConditionLine(trace, depth: depth, in: catalogue)]
            + trace.parts.flatMap { all($0, depth: depth + 1, in: catalogue) }
    }
}
