/// The outcome of all live campaigns for one customer.
public struct CampaignDecision: Hashable, Sendable {
    /// The campaigns that take the customer, in the order in which they decide; control and holdout included.
    public internal(set) var assignments: [CampaignAssignment] = []
    /// The offers that these campaigns give.
    ///
    /// If several campaigns give the same offer, it is listed once, for the first of them.
    public internal(set) var offers: [CampaignOffer] = []

    /// What these campaigns decide about introductory offers: for each product, what the first of them decides.
    public var introductoryOffers: [CampaignIntroductoryOffer] {
        var found: [CampaignIntroductoryOffer] = []
        for assignment in assignments {
            guard let offer = assignment.given?.introductoryOffer,
                !found.contains(where: { ExactText($0.offer.productID) == ExactText(offer.productID) })
            else { continue }
            found.append(CampaignIntroductoryOffer(offer: offer, assignment: assignment))
        }
        return found
    }

    /// The links of these campaigns.
    public var links: [CampaignLink] {
        assignments.compactMap { assignment in assignment.given?.link.map { CampaignLink(url: $0, assignment: assignment) } }
    }

    /// The decision as it applies to an answer that can hold only one variant.
    ///
    /// It keeps the first campaign that has a variant for the customer, and the campaigns before it, which hold the customer out.
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
    /// The outcome, which is the same as `decide` gives.
    public let allocation: CampaignAllocation
    /// All obstacles in the order of evaluation, while a decision stops at the first.
    public let obstacles: [CampaignObstacle]
    /// The result of each part of the audience's condition; nil if the campaign admits every customer.
    public let audience: ConditionTrace?
    /// The id that was bucketed; nil if unknown.
    public let unit: String?
    /// The unit's bucket for each purpose; empty if the unit is unknown.
    public let buckets: [Bucket.Purpose: Bucket]
}

/// Why a campaign does not take a customer, in the order of evaluation.
public enum CampaignObstacle: Hashable, Sendable {
    /// The campaign is for another placement.
    case placement
    /// The campaign has only promotional offers, and the customer can get none.
    case promotionalOnly
    /// The campaign has not begun.
    case notStarted
    /// The campaign is over.
    case ended
    /// A limit of the campaign is used up.
    case limitReached
    /// Another campaign of the same exclusion group takes the customer, or has taken the customer before.
    case exclusionGroup(takenBy: String)
    /// The customer has no known id of the campaign's unit.
    case noUnit
    /// The audience's condition does not hold: it fails or is unknown.
    case audience
    /// The customer's bucket lies outside of the share that the campaign lets in so far.
    case notEnrolled
}

/// An offer that a campaign gives a customer.
public struct CampaignOffer: Hashable, Sendable {
    /// The offer.
    public let offer: CampaignVariant.Offer
    /// The campaign, revision and variant that give it.
    public let assignment: CampaignAssignment

    /// The campaign's own limits, which apply in addition to the offer's.
    ///
    /// Nil if the campaign has no limits, and for testers, whose offers do not count.
    public var limits: CampaignLimits? { assignment.rehearsal == nil ? assignment.revision.campaign.limits : nil }
}

/// A link that a campaign gives.
public struct CampaignLink: Hashable, Sendable {
    /// The address at which the App Store gives the offer.
    public let url: String
    /// The campaign, revision and variant that give it.
    public let assignment: CampaignAssignment
}

/// What a campaign decides about an introductory offer.
public struct CampaignIntroductoryOffer: Hashable, Sendable {
    /// The product, and whether its introductory offer is given or withheld.
    public let offer: CampaignVariant.IntroductoryOffer
    /// The campaign, revision and variant that decide.
    public let assignment: CampaignAssignment

    /// What the decision comes to for a customer; nil if it comes to nothing, so that the answer is as without a campaign.
    ///
    /// To a customer who has used an introductory offer of the group, it is given only if the campaign says so, and only if the
    /// customer's subscription has certainly ended (`IntroductoryOfferRule.mayHaveAgain`).
    ///
    /// - Parameters:
    ///   - product: the product of the decision, with the offers of the customer's billing plan.
    ///   - verdict: the verdict of the eligibility rules on the introductory offer of the product.
    public func outcome(on product: SubscriptionProduct, for customer: Customer, _ verdict: Verdict) -> Outcome? {
        if verdict.status == .noOffer { return nil }
        guard offer.isAllowed else { return .override(allowed: false) }
        if verdict.status == .eligible { return .notNeeded }
        let isAgain =
            assignment.revision.campaign.design.givesIntroductoryOfferAgain && verdict.status == .ineligible
            && IntroductoryOfferRule.mayHaveAgain(product, customer)
        return isAgain ? .override(allowed: true) : nil
    }

    /// What must be done so that the customer gets, or does not get, the offer.
    public enum Outcome: Hashable, Sendable {
        /// Nothing: the App Store gives the offer by itself.
        case notNeeded
        /// An override with this value must be signed.
        case override(allowed: Bool)
    }
}
