/// An offer that a campaign gives a customer.
public struct CampaignOffer: Hashable, Sendable {
    /// The offer.
    public let offer: CampaignVariant.Offer
    /// Which campaign, revision and variant give it.
    public let assignment: CampaignAssignment

    /// What the campaign itself limits, beside the offer's own limits; nil where it limits nothing. Testers use nothing up.
    public var limits: CampaignLimits? { assignment.rehearsal == nil ? assignment.revision.campaign.limits : nil }
}
