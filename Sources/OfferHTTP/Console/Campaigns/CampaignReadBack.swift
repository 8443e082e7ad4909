import EligibilityRules
import OfferService

/// A campaign in plain words.
///
/// The words describe the saved campaign, so that users see what the service will do.
struct CampaignReadBack: TemplateView {
    /// A variant, and what it gives.
    struct Variant: TemplateView {
        /// The CSS class of the variant's colour.
        let `class`: String
        let name: String
        let share: String
        let words: RichText
    }

    let hypothesis: String?
    let who: RichText
    let variants: [Variant]
    /// The share of customers who get no variant, because the weights add up to less than 100 %; nil if there are no such
    /// customers.
    let gap: String?
    /// All other rules, as sentences.
    let rest: RichText

    init(campaign: Campaign, visit: CampaignVisit) {
        let left = Bucket.count - campaign.design.variants.reduce(0) { $0 + max(0, min($1.weight, Bucket.count)) }
        hypothesis = campaign.hypothesis
        let offers = OfferWords(catalogue: visit.app.catalogue, for: campaign)
        who = Self.who(campaign, visit)
        variants = campaign.design.variants.enumerated().map { index, variant in
            Variant(
                class: SplitBar.style(index), name: variant.label, share: SplitBar.percent(variant.weight),
                words: Self.words(variant, offers))
        }
        gap = left > 0 ? SplitBar.percent(left) : nil
        let sentences = [
            Self.again(campaign), Self.cost(campaign, offers),
            Self.when(campaign, visit), Self.place(campaign), Self.unit(campaign), Self.reach(campaign), Self.limits(campaign),
            Self.order(campaign), Self.goal(campaign), Self.plan(campaign), Self.analysis(campaign),
        ]
        rest = sentences.filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// Returns a sentence about how much less than the regular price one customer may pay; empty if the prices are not known.
    private static func cost(_ campaign: Campaign, _ offers: OfferWords) -> RichText {
        guard let storefront = offers.storefront,
            let cost = CampaignCost(campaign.design, offers.catalogue, in: storefront)
        else { return "" }
        return "A customer who takes it pays at most \(strong: MoneyWords.text(cost.perCustomer)) less than the regular price. "
            + "\(offers.note)"
    }

    private static func again(_ campaign: Campaign) -> RichText {
        guard campaign.design.givesIntroductoryOfferAgain else { return "" }
        return
            "A customer who \(strong: "has had an introductory offer") of the group \(strong: "gets it again"), although the App Store would refuse it."
    }

    private static func words(_ variant: CampaignVariant, _ offers: OfferWords) -> RichText {
        if variant.isControl { return "no offer, for comparison" }
        let shown = variant.message.map { ["the text \(code: $0)"] as [RichText] } ?? []
        return (offers.texts(variant).map { "\(strong: $0)" } + shown).joined(separator: .lineBreak)
    }

    private static func who(_ campaign: Campaign, _ visit: CampaignVisit) -> RichText {
        let app = visit.app.bundleID
        guard let audience = campaign.audience else {
            return "\(strong: "All customers") of \(strong: app) get one of:"
        }
        let parts = if case .all(let parts) = audience, !parts.isEmpty { parts } else { [audience] }
        let words: [RichText] = parts.map { "\(strong: $0.words(in: visit.app.catalogue, segments: campaign.segments))" }
        return "Customers of \(strong: app) where \(words.joined(separator: ", and ")), get one of:"
    }

    private static func when(_ campaign: Campaign, _ visit: CampaignVisit) -> RichText {
        let from: RichText = campaign.schedule.from.map { "From \(visit.planned($0))" } ?? "From \(strong: "publishing") on"
        let until: RichText =
            campaign.schedule.until.map { "until \(visit.planned($0))" } ?? "until \(strong: "it is ended")"
        return "\(from), \(until)."
    }

    private static func place(_ campaign: Campaign) -> RichText {
        switch campaign.slot.placement {
        case nil: "Anywhere in the app."
        case "retention"?: "When the App Store asks a customer who is about to cancel."
        case let placement?: "Only where the app asks for \(strong: placement)."
        }
    }

    private static func reach(_ campaign: Campaign) -> RichText {
        let part: RichText =
            campaign.design.enrolment < Bucket.count
            ? "Only \(strong: SplitBar.percent(campaign.design.enrolment)) of them are let in." : ""
        guard campaign.design.holdout > 0 else { return part }
        return "\(part) \(SplitBar.percent(campaign.design.holdout)) of customers are held out and never get it."
    }

    private static func unit(_ campaign: Campaign) -> RichText {
        switch campaign.design.unit {
        case .customer: "One customer is \(strong: "one id of yours")."
        case .appTransaction: "One customer is \(strong: "one Apple account")."
        case .originalTransaction: "One customer is \(strong: "one first purchase")."
        }
    }

    private static func order(_ campaign: Campaign) -> RichText {
        let together: RichText? = campaign.slot.exclusionGroup.map {
            "No customer gets it together with another campaign of \(strong: $0). "
        }
        return (together ?? "") + "Its priority is \(strong: "\(campaign.slot.priority)")."
    }

    private static func plan(_ campaign: Campaign) -> RichText {
        let share = { (value: Double) in DecimalShift.text("\(value)", by: 2) ?? "\(value)" }
        let expected: RichText? = campaign.design.goal.expected.map {
            "\(strong: "\(share($0)) of 100") are expected to do so without an offer."
        }
        let detect: RichText? = campaign.design.goal.detect.map {
            let size = campaign.design.goal.metric == .revenue ? money($0, campaign.design.goal) : "\(share($0)) points"
            return "A difference of \(strong: size) is worth knowing."
        }
        return [expected, detect].compactMap(\.self).joined(separator: " ")
    }

    private static func limits(_ campaign: Campaign) -> RichText {
        guard let limits = campaign.limits else { return "" }
        var words: [RichText] = []
        if let count = limits.perCustomer {
            let span = limits.per.map { " within \(PeriodWords.text($0.text))" } ?? ""
            words.append("Each customer can redeem at most \(strong: ConsoleTime.count(count, "offer"))\(span).")
        }
        if let total = limits.total {
            words.append("In all, at most \(strong: ConsoleTime.count(total, "offer")) can be redeemed.")
        }
        return words.joined(separator: " ")
    }

    private static func money(_ amount: Double, _ goal: CampaignGoal) -> String {
        "\(FigureText.money(amount)) \(goal.currency ?? "")"
    }

    private static func goal(_ campaign: Campaign) -> RichText {
        let window = PeriodWords.text(campaign.design.goal.window.text)
        return switch campaign.design.goal.metric {
        case .subscribed: "Success means that a customer \(strong: "subscribes within \(window)")."
        case .retained: "Success means that a customer is \(strong: "subscribed after \(window)")."
        case .convertedToPaid:
            "Success means that a customer \(strong: "begins a paid period within \(window)"). A free trial is not paid."
        case .redeemed: "Success means that a customer \(strong: "redeems the offer within \(window)")."
        case .revenue:
            "Success is \(strong: "what a customer pays within \(window)"), refunds taken out, in \(campaign.design.goal.currency ?? "").\(cap(campaign.design.goal))"
        }
    }

    private static func cap(_ goal: CampaignGoal) -> RichText {
        goal.cap.map { " One customer counts at most \(strong: money($0, goal))." } ?? ""
    }

    private static func analysis(_ campaign: Campaign) -> RichText {
        guard case .fixed(let units) = campaign.design.analysis else { return "" }
        return "The result is read \(strong: "once, after \(ConsoleTime.count(units, "customer"))")."
    }
}
