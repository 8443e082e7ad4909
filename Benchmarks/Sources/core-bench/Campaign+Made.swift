import EligibilityRules
import OfferService
import OfferStore
import WireText

extension Campaign {
    /// One of many campaigns, of which only the last takes a customer: each looks at what the others look at, and at a range of its own.
    static func made(_ number: Int, of count: Int, offers: [String]) -> Campaign {
        let isLast = number == count - 1
        // The last one's range has every customer in it.
        let days: [ConditionValue] = isLast ? [0, 100_000] : [.number(Double(1000 + number)), .number(Double(1010 + number))]
        let audience: [ConditionTest] = [
            ConditionTest(.subscriptionState, group: "1", .oneOf, ["expired", "revoked"]),
            ConditionTest(.attribute("country"), .oneOf, ["US", "CA"]),
            ConditionTest(.attribute("appVersion"), .versionAtLeast, "2.1"),
            ConditionTest(.subscriptionDaysSinceLapse, group: "1", .between, .list(days)),
        ]
        return Campaign(
            id: "campaign-\(number)", name: "campaign \(number)", bundleID: "com.example.app",
            slot: CampaignSlot(placement: "paywall", priority: count - number), audience: .all(audience.map(Condition.test)),
            design: CampaignDesign(
                holdout: isLast ? 0 : 500,
                variants: [
                    CampaignVariant(
                        id: "all", weight: 10_000,
                        offers: offers.map { CampaignVariant.Offer(productID: "pro", offerID: $0) })
                ]))
    }
}

extension CampaignRecord {
    /// A campaign as it is once it is published.
    static func live(_ campaign: Campaign, at now: Instant) -> CampaignRecord {
        let act = CampaignAct(at: now, by: "bench")
        return CampaignRecord(
            id: campaign.id, bundleID: campaign.bundleID, draft: nil,
            published: CampaignPublication(
                number: 1, document: campaign.json.bytes, authors: ["bench"], approved: act, published: act),
            status: CampaignStatus(.live, by: act), testers: [],
            acts: CampaignActs(created: act, step: "publish", changed: act))
    }
}
