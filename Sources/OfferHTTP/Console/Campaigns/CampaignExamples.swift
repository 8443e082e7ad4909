import EligibilityRules
import OfferService
import WireText

/// Example campaigns from which a new draft can start.
enum CampaignExamples {
    /// The names of the examples, with labels.
    static let all = [
        ("win-back", "Win back lapsed customers"), ("keep", "Keep those who cancel"), ("upgrade", "Reward loyal customers"),
    ]

    /// Returns the text of a new draft.
    ///
    /// - Parameter name: one of `all`; any other name gives an empty form.
    static func json(_ name: String, for app: String, _ catalogue: Catalogue) -> JSONValue {
        let isWinBack = name == "win-back"
        let product = catalogue.sorted.first { !$0.promotionalOffers.isEmpty }
        let group = (product ?? catalogue.sorted.first)?.groupID ?? ""
        let ids = product?.promotionalOfferIDs ?? []
        // Only an offer's name can suggest that it is for winning customers back. A name such as `winback50` or `comeback` does.
        let fitting = ids.first { $0.lowercased().contains("back") == isWinBack } ?? ids.first
        let offers = product.flatMap { product in
            fitting.map { [CampaignVariant.Offer(productID: product.id, offerID: $0)] }
        }
        let conditions: [Condition]? =
            switch name {
            case "win-back":
                [
                    .test(ConditionTest(.subscriptionState, group: group, .is, "expired")),
                    .test(ConditionTest(.subscriptionDaysSinceLapse, group: group, .between, [7, 90])),
                ]
            case "keep":
                [
                    .test(ConditionTest(.subscriptionState, group: group, .is, "active")),
                    .test(ConditionTest(.subscriptionWillRenew, group: group, .is, false)),
                ]
            case "upgrade":
                [
                    .test(ConditionTest(.subscriptionState, group: group, .is, "active")),
                    .not(.test(ConditionTest(.subscriptionPaidPeriods, group: group, .below, 6))),
                ]
            default: nil
            }
        let isExample = conditions != nil
        return Campaign(
            id: "", name: all.first { $0.0 == name }?.1 ?? "", bundleID: app, audience: conditions.map { .all($0) },
            limits: isExample ? CampaignLimits(perCustomer: 1) : nil,
            design: CampaignDesign(
                variants: [
                    CampaignVariant(id: "control", weight: 5000),
                    CampaignVariant(id: "offer", weight: 5000, offers: isExample ? offers ?? [] : []),
                ],
                // In the other examples the customers already have a subscription, so the goal is that they keep it.
                goal: CampaignGoal(metric: isExample && !isWinBack ? .retained : .subscribed))
        ).json
    }

    /// Returns an id that is made of a name: `win-back-winter` for “Win back: winter”.
    static func id(of name: String) -> String {
        let letters = name.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
        return String(letters).split(separator: "-").joined(separator: "-").prefixed(64)
    }
}

extension String {
    fileprivate func prefixed(_ count: Int) -> String { String(prefix(count)).split(separator: "-").joined(separator: "-") }
}
