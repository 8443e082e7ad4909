/// What all live campaigns together come to for one customer.
public struct CampaignDecision: Hashable, Sendable {
    /// The campaigns that take the customer, the first to decide first; control and holdout included.
    public internal(set) var assignments: [CampaignAssignment] = []
    /// What they give; of the same offer the first one counts.
    public internal(set) var offers: [CampaignOffer] = []

    /// What is left where only one variant can be answered with: the first campaign that has one for the customer, and those before it,
    /// which hold the customer out.
    public var upToFirstVariant: CampaignDecision {
        guard let place = assignments.firstIndex(where: { $0.verdict != .heldOut }) else { return self }
        var decision = self
        decision.assignments = Array(assignments[...place])
        decision.offers = offers.filter { $0.assignment == assignments[place] }
        return decision
    }

    /// The first offer for a product; nil if there is none.
    public func offer(forProduct id: String) -> CampaignOffer? {
        offers.first { ExactText($0.offer.productID) == ExactText(id) }
    }
}
