import TestRandomness

@testable import EligibilityRules

/// Sets of campaigns that get in each other's way.
enum RandomCampaigns {
    static func revisions(_ source: inout RandomConditions) -> [CampaignRevision] {
        (0..<8).map { CampaignRevision(campaign("c\($0)", &source), number: $0 + 1) }
    }

    private static func campaign(_ id: String, _ source: inout RandomConditions) -> Campaign {
        let audience = source.random.once(in: 3) ? nil : source.condition()
        let now = RandomCustomers.now
        let split = source.random.any(of: [0, 3000, 5000, 10_000])
        let offers = source.random.any(of: [["half"], ["half", "third"], []])
        return Campaign(
            id: id, name: id, bundleID: "b",
            slot: CampaignSlot(
                placement: source.random.any(of: [nil, nil, nil, "paywall", "retention"]), priority: source.random.below(3),
                exclusionGroup: source.random.any(of: [nil, nil, "g", "g", "h"])),
            schedule: CampaignSchedule(
                from: source.random.any(of: [nil, nil, now, now.advanced(by: -1), now.advanced(by: 1)]),
                until: source.random.any(of: [nil, nil, nil, now, now.advanced(by: 1)])), audience: audience,
            limits: CampaignLimits(total: 5),
            design: CampaignDesign(
                unit: source.random.any(of: BucketingUnit.allCases), enrolment: source.random.any(of: [10_000, 10_000, 5000, 0]),
                holdout: source.random.any(of: [0, 0, 2000, 10_000]),
                variants: [
                    CampaignVariant(id: "control", weight: split),
                    CampaignVariant(
                        id: "a", weight: 10_000 - split,
                        offers: offers.map { CampaignVariant.Offer(productID: "monthly", offerID: $0) }),
                ]))
    }

    /// What the campaigns have decided, computed by another reading of the contract.
    static func naive(_ revisions: [CampaignRevision], _ context: CampaignContext) -> [String] {
        var (reported, takers): ([String], Set<String>) = ([], [])
        let rule = NaiveRule(context)
        let now = context.facts.asOf.milliseconds
        let sorted = revisions.map(\.campaign).sorted { ($1.slot.priority, $0.id) < ($0.slot.priority, $1.id) }
        for campaign in sorted {
            if campaign.slot.placement == "retention" || context.placement == "retention" {
                if campaign.slot.placement != context.placement { continue }
            } else if let asked = context.placement, let own = campaign.slot.placement, own != asked {
                continue
            }
            if let from = campaign.schedule.from?.milliseconds, from > now { continue }
            if let until = campaign.schedule.until?.milliseconds, until <= now { continue }
            if context.spentCampaigns.contains(ExactText(campaign.id)) { continue }
            if let group = campaign.slot.exclusionGroup {
                if takers.contains(group) { continue }
                if let holder = context.holders[ExactText(group)]?.string, holder != campaign.id { continue }
            }
            let units: [BucketingUnit: String?] = [
                .customer: context.identity.customerID, .appTransaction: context.identity.appTransactionID,
                .originalTransaction: context.identity.originalTransactionID,
            ]
            guard let unit = units[campaign.design.unit]! else { continue }
            if let audience = campaign.audience, rule.holds(audience) != true { continue }
            let place = { (purpose: String) in Int((UInt64(Murmur3.hash("\(campaign.id):\(purpose):\(unit)")) * 10_000) >> 32) }
            if place("holdout") < campaign.design.holdout {
                reported.append("\(campaign.id) holdout")
            } else if place("enrol") < campaign.design.enrolment {
                reported.append("\(campaign.id) \(place("variant") < campaign.design.variants[0].weight ? "control" : "a")")
            } else {
                continue
            }
            if let group = campaign.slot.exclusionGroup { takers.insert(group) }
        }
        return reported
    }
}
