/// One customer who requests offers, with everything that a decision about campaigns reads.
///
/// The time of the decision is that of the facts.
public struct CampaignContext: Sendable {
    /// What is known of the customer.
    public var facts: CustomerFacts
    /// What the caller states about the customer.
    public var attributes: Attributes
    /// The ids that can be bucketed.
    public var identity: BucketingIdentity
    /// The place in the app; nil if not given.
    public var placement: String?
    /// The id of the campaign that took the customer earlier, by exclusion group.
    ///
    /// No other campaign of that group takes the customer.
    public var holders: [ExactText: ExactText]
    /// The ids of campaigns whose limit is used up, so that they are passed over.
    public var spentCampaigns: Set<ExactText>
    /// Offers that are left out, because the customer buys with another billing plan.
    public var withheldOffers: Set<CampaignVariant.Offer>
    /// Which campaigns decide.
    public var scope = CampaignScope.all

    /// Stores the given values without checking them.
    public init(
        facts: CustomerFacts,
        attributes: Attributes = .none,
        identity: BucketingIdentity,
        placement: String? = nil,
        holders: [ExactText: ExactText] = [:],
        spentCampaigns: Set<ExactText> = [],
        withheldOffers: Set<CampaignVariant.Offer> = []
    ) {
        self.facts = facts
        self.attributes = attributes
        self.identity = identity
        self.placement = placement
        self.holders = holders
        self.spentCampaigns = spentCampaigns
        self.withheldOffers = withheldOffers
    }
}
