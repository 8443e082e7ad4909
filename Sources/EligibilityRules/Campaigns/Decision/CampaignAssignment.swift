/// The assignment of a customer by a campaign. It counts as an exposure, whatever is offered.
public struct CampaignAssignment: Hashable, Sendable {
    /// The revision that decided.
    public let revision: CampaignRevision
    /// The verdict: held out or assigned.
    public let allocation: CampaignAllocation
    /// Set for a tester, whose exposure never counts in results; nil for any other customer.
    public let rehearsal: CampaignRehearsal?

    init(_ revision: CampaignRevision, _ allocation: CampaignAllocation, _ rehearsal: CampaignRehearsal? = nil) {
        self.revision = revision
        self.allocation = allocation
        self.rehearsal = rehearsal
    }

    /// The campaign.
    public var campaignID: String { revision.campaign.id }

    /// The variant's id, or `holdout`.
    public var variant: String {
        if case .assigned(let index) = allocation { revision.campaign.design.variants[index].id } else { CampaignVariant.holdout }
    }
}

/// The outcome of one campaign for one customer.
public enum CampaignAllocation: Hashable, Sendable {
    /// It does not take the customer, for the first obstacle in the order of evaluation.
    case passedOver(CampaignObstacle)
    /// The customer is in the holdout, and counts for comparison.
    case heldOut
    /// The customer receives a variant, given by its index.
    case assigned(Int)
}
