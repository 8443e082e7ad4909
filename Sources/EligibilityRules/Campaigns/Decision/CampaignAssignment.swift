/// What a campaign has decided for a customer whom it takes: a variant or the holdout.
///
/// An assignment counts as an exposure, even if the variant offers nothing.
public struct CampaignAssignment: Hashable, Sendable {
    /// The revision that decided.
    public let revision: CampaignRevision
    /// Whether the customer is held out, or which variant the customer receives.
    public let allocation: CampaignAllocation
    /// The rehearsal of a tester, whose exposure never counts in results; nil for any other customer.
    public let rehearsal: CampaignRehearsal?

    init(_ revision: CampaignRevision, _ allocation: CampaignAllocation, _ rehearsal: CampaignRehearsal? = nil) {
        self.revision = revision
        self.allocation = allocation
        self.rehearsal = rehearsal
    }

    /// The campaign.
    public var campaignID: String { revision.campaign.id }

    /// The variant that the customer receives; nil for a customer who is held out.
    public var given: CampaignVariant? {
        if case .assigned(let index) = allocation { revision.campaign.design.variants[index] } else { nil }
    }

    /// The variant's id, or `holdout`.
    public var variant: String { given?.id ?? CampaignVariant.holdout }
}

/// The outcome of one campaign for one customer.
public enum CampaignAllocation: Hashable, Sendable {
    /// The campaign does not take the customer, because of this obstacle: the first in the order of evaluation.
    case passedOver(CampaignObstacle)
    /// The customer is in the holdout, and counts for comparison.
    case heldOut
    /// The customer receives a variant, given by its index.
    case assigned(Int)
}
