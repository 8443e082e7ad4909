import EligibilityRules
import OfferService

/// A campaign in plain words, as saved and as it will be decided. Its texts are HTML.
struct CampaignReadBack {
    let campaign: Campaign
    let visit: CampaignVisit

    /// The values for the template.
    var values: [String: Any] {
        let left = Bucket.count - campaign.variants.reduce(0) { $0 + max(0, min($1.weight, Bucket.count)) }
        return [
            "who": who,
            "variants": campaign.variants.enumerated().map { index, variant -> [String: Any] in
                [
                    "class": SplitBar.style(index), "name": variant.id, "share": SplitBar.percent(variant.weight),
                    "words": words(variant),
                ]
            },
            "gap": left > 0 ? "<b>\(SplitBar.percent(left)) have no variant yet.</b> " : "",
            "rest": [when, place, unit, reach, limits, order, goal, plan, analysis].filter { !$0.isEmpty }.joined(separator: " "),
        ]
    }

    private func words(_ variant: CampaignVariant) -> String {
        if variant.isControl { return "no offer, for comparison" }
        let offers = OfferWords(catalogue: visit.app.catalogue)
        let shown = variant.message.map { ["the text <code>\(Self.escaped($0))</code>"] } ?? []
        return (variant.offers.map { "<b>\(Self.escaped(offers.text($0)))</b>" } + shown).joined(separator: "<br>")
    }

    private var who: String {
        let app = "<b>\(Self.escaped(visit.app.bundleID))</b>"
        guard let audience = campaign.audience.map({ $0.withKnownGroups(in: visit.app.catalogue) }) else {
            return "<b>All customers</b> of \(app) get one of:"
        }
        let parts = if case .all(let parts) = audience, !parts.isEmpty { parts } else { [audience] }
        let words = parts.map { "<b>\(Self.escaped(ConditionText.words($0)))</b>" }
        return "Customers of \(app) where \(words.joined(separator: ", and ")), get one of:"
    }

    private var when: String {
        let from = campaign.schedule.from.map { "From \(visit.planned($0))" } ?? "From <b>publishing</b> on"
        return "\(from), \(campaign.schedule.until.map { "until \(visit.planned($0))" } ?? "until <b>it is ended</b>")."
    }

    private var place: String {
        switch campaign.placement {
        case nil: "Anywhere in the app."
        case "retention"?: "When the App Store asks a customer who is about to cancel."
        case let placement?: "Only where the app asks for <b>\(Self.escaped(placement))</b>."
        }
    }

    private var reach: String {
        let held =
            campaign.holdout > 0
            ? " \(SplitBar.percent(campaign.holdout)) of customers are held out and never get it." : ""
        return
            (campaign.enrolment < Bucket.count ? "Only <b>\(SplitBar.percent(campaign.enrolment))</b> of them are let in." : "")
            + held
    }

    private var unit: String {
        switch campaign.unit {
        case .customer: "One customer is <b>one id of yours</b>."
        case .appTransaction: "One customer is <b>one Apple account</b>."
        case .originalTransaction: "One customer is <b>one first purchase</b>."
        }
    }

    private var order: String {
        let together = campaign.exclusionGroup.map {
            "No customer gets it together with another campaign of <b>\(Self.escaped($0))</b>. "
        }
        return (together ?? "") + "Its priority is <b>\(campaign.priority)</b>."
    }

    private var plan: String {
        let share = { (value: Double) in DecimalShift.text("\(value)", by: 2) ?? "\(value)" }
        let expected = campaign.goal.expected.map { "<b>\(share($0)) of 100</b> are expected to do so without an offer." }
        let detect = campaign.goal.detect.map { "A difference of <b>\(share($0)) points</b> is worth knowing." }
        return [expected, detect].compactMap(\.self).joined(separator: " ")
    }

    private var limits: String {
        guard let limits = campaign.limits else { return "" }
        var words: [String] = []
        if let count = limits.perCustomer {
            let span = limits.per.map { " within \(PeriodWords.text($0.text))" } ?? ""
            words.append("Each customer can have at most <b>\(ConsoleTime.count(count, "offer"))</b>\(span).")
        }
        if let total = limits.total { words.append("In all, at most <b>\(ConsoleTime.count(total, "offer"))</b> are given.") }
        return words.joined(separator: " ")
    }

    private var goal: String {
        let window = PeriodWords.text(campaign.goal.window.text)
        return switch campaign.goal.metric {
        case .subscribed: "Success means that a customer <b>subscribes within \(window)</b>."
        case .retained: "Success means that a customer is <b>subscribed after \(window)</b>."
        case .redeemed: "Success means that a customer <b>redeems the offer within \(window)</b>."
        }
    }

    private var analysis: String {
        guard case .fixed(let units) = campaign.analysis else { return "" }
        return "The result is read <b>once, after \(ConsoleTime.count(units, "customer"))</b>."
    }

    private static func escaped(_ text: String) -> String { ByteEscaping().escapeText(text) }
}

extension Condition {
    /// Returns the condition without the subscription group's id if the app has only one group.
    func withKnownGroups(in catalogue: Catalogue) -> Condition {
        let groups = Set(catalogue.sorted.map { ExactText($0.groupID) })
        return groups.count == 1 ? withoutGroups : self
    }

    private var withoutGroups: Condition {
        switch self {
        case .all(let parts): .all(parts.map(\.withoutGroups))
        case .any(let parts): .any(parts.map(\.withoutGroups))
        case .not(let part): .not(part.withoutGroups)
        case .segment: self
        case .test(let test):
            if case .fact(let name, _) = test.subject {
                .test(ConditionTest(.fact(name, group: nil), test.comparison, test.operand))
            } else {
                self
            }
        }
    }
}
