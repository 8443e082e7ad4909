/// One customer who asks for offers: all that a decision about campaigns looks at. The time is that of the facts.
public struct CampaignContext: Sendable {
    /// What is known of the customer.
    public var facts: CustomerFacts
    /// What the caller says of the customer.
    public var attributes: Attributes
    /// What can be put into buckets.
    public var identity: BucketingIdentity
    /// Where in the app; nil where nobody says.
    public var placement: String?
    /// The campaign that has taken the customer before, by exclusion group: no other of the group takes it any more.
    public var holders: [ExactText: ExactText]
    /// Campaigns of which a limit turned out to be used up: they are passed over.
    public var spentCampaigns: Set<ExactText>
    /// Offers of which a limit turned out to be used up: they are left out.
    public var spentOffers: Set<CampaignVariant.Offer>

    /// Takes the values as they are.
    public init(
        facts: CustomerFacts,
        attributes: Attributes = .none,
        identity: BucketingIdentity,
        placement: String? = nil,
        holders: [ExactText: ExactText] = [:],
        spentCampaigns: Set<ExactText> = [],
        spentOffers: Set<CampaignVariant.Offer> = []
    ) {
        self.facts = facts
        self.attributes = attributes
        self.identity = identity
        self.placement = placement
        self.holders = holders
        self.spentCampaigns = spentCampaigns
        self.spentOffers = spentOffers
    }
}
