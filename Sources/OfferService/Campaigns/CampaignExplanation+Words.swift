package import EligibilityRules

extension CampaignExplanation {
    private var campaign: Campaign { revision.campaign }

    /// What the campaign decides about the customer, in one line.
    package var words: String {
        switch allocation {
        case .assigned(let index):
            let variant = campaign.design.variants[index]
            return "variant \(variant.id)\(variant.isControl ? ", which offers nothing" : variant.exception)"
        case .heldOut: return "held out: gets nothing, for comparison"
        case .passedOver(let first):
            // All obstacles are listed, and the one that decides comes first.
            let others = obstacles.filter { $0 != first }.map { "; also \(words($0))" }
            return "passed over: \(words(first))\(others.joined())"
        }
    }

    /// Why the campaign does not take the customer.
    package func words(_ obstacle: CampaignObstacle) -> String {
        switch obstacle {
        case .placement: "it is for \(campaign.slot.placement.map { "placement \($0)" } ?? "placements in the app") only"
        case .promotionalOnly: "the customer can get no promotional offer, and it has nothing else"
        case .notStarted: "it begins at \(campaign.schedule.from?.exactISO8601 ?? "publishing")"
        case .ended: "it ended at \(campaign.schedule.until?.exactISO8601 ?? "some time")"
        case .limitReached: "a limit of its own is used up"
        case .exclusionGroup(let taker):
            "\(taker) of the same exclusion group \(campaign.slot.exclusionGroup.map { "(\($0)) " } ?? "")takes the customer"
        case .noUnit: "the id that assigns the variant is not proven (unit: \(campaign.design.unit.rawValue))"
        case .audience:
            audience?.truth == .unknown
                ? "it is not known whether the customer fits the audience" : "the customer does not fit the audience"
        case .notEnrolled: "the customer is not among the \(ShareText.words(campaign.design.enrolment)) that are let in"
        }
    }

    /// What a bucket says for a purpose, such as whether the unit is held out.
    package func words(_ purpose: Bucket.Purpose, _ bucket: Bucket) -> String {
        switch purpose {
        case .holdout:
            return bucket.number < campaign.design.holdout
                ? "held out (below \(campaign.design.holdout))" : "not held out (below \(campaign.design.holdout) would be)"
        case .enrol:
            return bucket.number < campaign.design.enrolment
                ? "let in (below \(campaign.design.enrolment))" : "not let in (below \(campaign.design.enrolment) would be)"
        case .variant:
            var end = 0
            for variant in campaign.design.variants {
                let start = end
                end += variant.weight
                if bucket.number < end { return "\(variant.id) (\(start) to \(end - 1))" }
            }
            return "no variant"
        }
    }
}

extension CampaignVariant {
    /// What a variant without a promotional offer does instead; empty for a variant with one.
    fileprivate var exception: String {
        guard offers.isEmpty else { return "" }
        if let switchTo { return ", which proposes \(switchTo.productID)" }
        if link != nil { return ", which gives a link" }
        guard let introductoryOffer else { return ", which shows a text and offers nothing" }
        return
            ", which \(introductoryOffer.isAllowed ? "gives" : "withholds") the introductory offer of \(introductoryOffer.productID)"
    }
}

extension CampaignObstacle {
    /// A stable code for the obstacle.
    package var code: String {
        switch self {
        case .placement: "placement"
        case .promotionalOnly: "promotional-only"
        case .notStarted: "not-started"
        case .ended: "ended"
        case .limitReached: "limit-reached"
        case .exclusionGroup: "exclusion-group"
        case .noUnit: "no-unit"
        case .audience: "audience"
        case .notEnrolled: "not-enrolled"
        }
    }
}
