/// What all live campaigns together come to for one customer.
public struct CampaignDecision: Hashable, Sendable {
    /// The campaigns that take the customer, the first to decide first; control and holdout included.
    public internal(set) var assignments: [CampaignAssignment] = []
    /// What they give; of the same offer the first one counts.
    public internal(set) var offers: [CampaignOffer] = []

    /// The first offer for a product; nil if there is none.
    public func offer(forProduct id: String) -> CampaignOffer? {
        offers.first { ExactText($0.offer.productID) == ExactText(id) }
    }
}
