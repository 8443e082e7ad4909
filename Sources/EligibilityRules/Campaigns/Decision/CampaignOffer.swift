/// An offer that a campaign gives a customer.
public struct CampaignOffer: Hashable, Sendable {
    /// The offer.
    public let offer: CampaignVariant.Offer
    /// The campaign, revision and variant that give it.
    public let assignment: CampaignAssignment

    /// The campaign's own limits, beside the offer's; nil if it has none, and for testers, whose offers do not count.
    public var limits: CampaignLimits? { assignment.rehearsal == nil ? assignment.revision.campaign.limits : nil }
}
