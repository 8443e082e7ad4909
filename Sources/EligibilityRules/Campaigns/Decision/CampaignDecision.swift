/// The outcome of all live campaigns for one customer.
public struct CampaignDecision: Hashable, Sendable {
    /// The campaigns that take the customer, in the order in which they decide; control and holdout included.
    public internal(set) var assignments: [CampaignAssignment] = []
    /// The offers that they give. The first assignment with an offer counts.
    public internal(set) var offers: [CampaignOffer] = []

    /// The decision where the answer can hold only one variant.
    /// It keeps the first campaign that has a variant for the customer, and the earlier ones, which hold the customer out.
    public var upToFirstVariant: CampaignDecision {
        guard let place = assignments.firstIndex(where: { $0.allocation != .heldOut }) else { return self }
        var decision = self
        decision.assignments = Array(assignments[...place])
        decision.offers = offers.filter { $0.assignment == assignments[place] }
        return decision
    }

    /// Returns the first offer for a product, or nil if there is none.
    public func offer(forProduct id: String) -> CampaignOffer? {
        offers.first { ExactText($0.offer.productID) == ExactText(id) }
    }
}
