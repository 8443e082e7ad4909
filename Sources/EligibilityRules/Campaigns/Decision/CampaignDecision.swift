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

/// One campaign evaluated for one customer: the outcome, its reasons, and everything that was read.
public struct CampaignExplanation: Hashable, Sendable {
    /// The revision that was evaluated.
    public let revision: CampaignRevision
    /// The outcome; the same as is served.
    public let allocation: CampaignAllocation
    /// Every obstacle, not only the one that decides, in the order of evaluation.
    public let obstacles: [CampaignObstacle]
    /// The trace of the audience's condition; nil where every customer fits.
    public let audience: ConditionTrace?
    /// The id that was bucketed; nil if unknown.
    public let unit: String?
    /// The unit's bucket for each purpose; empty if the unit is unknown.
    public let buckets: [Bucket.Purpose: Bucket]
}

/// Why a campaign does not take a customer, in the order of evaluation.
public enum CampaignObstacle: Hashable, Sendable {
    /// It is for another placement.
    case placement
    /// It has not begun.
    case notStarted
    /// It is over.
    case ended
    /// A limit of its own is used up.
    case limitReached
    /// Another campaign of its exclusion group takes the customer, or has done so before.
    case exclusionGroup(takenBy: String)
    /// The customer has no known id of the campaign's unit.
    case noUnit
    /// The audience's condition does not hold: it fails or is unknown.
    case audience
    /// The customer is not enrolled so far.
    case notEnrolled
}

/// An offer that a campaign gives a customer.
public struct CampaignOffer: Hashable, Sendable {
    /// The offer.
    public let offer: CampaignVariant.Offer
    /// The campaign, revision and variant that give it.
    public let assignment: CampaignAssignment

    /// The campaign's own limits, beside the offer's; nil if it has none, and for testers, whose offers do not count.
    public var limits: CampaignLimits? { assignment.rehearsal == nil ? assignment.revision.campaign.limits : nil }
}
