import EligibilityRules
import FoundationEssentials
import OfferStore

/// What the campaigns of an app come to for the customer of a request, and what is to be recorded of it.
///
/// That a campaign has taken somebody is recorded whatever its variant gives, and whether or not they get it: else those of one
/// variant would be counted for other reasons than those of another, and nothing could be compared.
struct CampaignChoice {
    /// In the place of an access key: a customer who asks with a token is not to be told by who asks.
    private static let endUsers = "end-user"
    // In UTF-8 bytes: what is longer is no version and no country.
    private static let maxShown = 64

    /// The campaigns that take the customer, and what they give.
    let decision: CampaignDecision
    private let identity: BucketingIdentity
    private let partition: String
    private let caller: String
    private let now: Instant
    private let storefront: String?
    private let appVersion: String?

    /// Decides.
    ///
    /// - Parameter stored: what the customer's facts are drawn from.
    init(
        _ campaigns: AppCampaigns,
        _ customer: borrowing Customer,
        _ stored: StoredHistory,
        _ occasion: OfferOccasion,
        _ app: App,
        _ caller: Caller
    ) {
        let facts = CustomerFacts(of: customer, historyUpdatedAt: stored.updatedAt)
        identity = BucketingIdentity(stored, facts, caller.endUser)
        partition = app.partition
        self.caller = caller.endUser == nil ? caller.id : Self.endUsers
        now = facts.asOf
        storefront = Self.shown("storefront", occasion)
        appVersion = Self.shown("appVersion", occasion)
        decision = campaigns.compiled.decide(
            CampaignContext(
                facts: facts, attributes: occasion.attributes, identity: identity, placement: occasion.placement))
    }

    /// That a campaign has taken the customer.
    ///
    /// - Parameter nonce: of the signature of an offer of its.
    func exposure(_ assignment: CampaignAssignment, nonce: UUID? = nil) -> Exposure {
        let unit = assignment.revision.campaign.unit
        return Exposure(
            bundleID: partition, campaign: assignment.campaignID, revision: assignment.revision.number,
            variant: assignment.verdict == .heldOut ? nil : assignment.variant, unitKind: unit, unit: identity[unit]!, at: now,
            caller: caller, storefront: storefront, appVersion: appVersion, nonce: nonce)
    }

    /// What is to be recorded: a row for each signature, and one for each other campaign that has taken the customer.
    ///
    /// - Parameters:
    ///   - signed: offers of campaigns that were signed, with their nonces.
    ///   - memory: knows what is recorded already and need not be once more.
    func exposures(signed: [(CampaignAssignment, UUID)] = [], _ memory: ExposureMemory) -> [Exposure] {
        var exposures = signed.map { exposure($0.0, nonce: $0.1) }
        for assignment in decision.assignments where !signed.contains(where: { $0.0 == assignment }) {
            let shown = exposure(assignment)
            if !memory.isKnown(shown) { exposures.append(shown) }
        }
        return exposures
    }

    private static func shown(_ name: String, _ occasion: OfferOccasion) -> String? {
        occasion.attributes.text(name).flatMap { $0.utf8.count <= maxShown ? $0 : nil }
    }
}

extension BucketingIdentity {
    /// Of whom a history is. An end user's token says who asks, also where nothing is known of them.
    init(_ stored: StoredHistory, _ facts: CustomerFacts, _ endUser: EndUser?) {
        self.init(customerID: stored.customerID ?? endUser?.customerID, facts: facts)
    }
}
