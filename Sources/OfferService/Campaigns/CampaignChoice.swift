import EligibilityRules
import FoundationEssentials
import OfferStore

/// The decision of an app's campaigns about the customer of a request, and what is to be recorded of it.
///
/// A campaign that takes the customer is recorded whatever its variant gives, and whether or not the customer gets it.
/// Otherwise the variants would count their units under different conditions, and could not be compared.
struct CampaignChoice {
    /// Stands for the caller in exposures of customers who ask with a token, because the record must not identify the customer.
    private static let endUsers = "end-user"
    // In UTF-8 bytes. A longer text is neither a version nor a country.
    private static let maxShown = 64

    /// The campaigns that take the customer, and what they give.
    let decision: CampaignDecision
    private let identity: BucketingIdentity
    private let limiting: CampaignLimiting
    private let holding: CampaignHolding
    /// What the ledger has found about limits, without its findings about holds.
    private let findings: [LimitFinding]
    private let partition: AppPartition
    private let now: Instant
    private let source: ExposureSource

    /// Decides about the customer.
    ///
    /// - Parameter found: what the ledger has found in earlier attempts. A campaign is passed over if its limits are used up, or
    ///   if another campaign of its exclusion group holds the unit.
    init(_ question: CampaignQuestion, _ found: [LimitFinding]) {
        let (campaigns, app, occasion) = (question.campaigns, question.app, question.occasion)
        let facts = CustomerFacts(of: question.customer, historyUpdatedAt: question.stored.updatedAt)
        let endUser = question.caller.endUser
        identity = BucketingIdentity(question, facts)
        partition = app.partition
        now = facts.asOf
        source = ExposureSource(
            caller: endUser == nil ? question.caller.id : Self.endUsers,
            storefront: Self.shown("storefront", occasion), appVersion: Self.shown("appVersion", occasion))
        limiting = CampaignLimiting(app, at: now)
        let findings = found.filter { !$0.isHeld }
        self.findings = findings
        var holding = CampaignHolding(campaigns, identity, partition, at: now, found)
        var context = CampaignContext(
            facts: facts, attributes: occasion.attributes, identity: identity, placement: occasion.placement,
            holders: holding.holders,
            withheldOffers: app.promotionalOffers(notOn: occasion.billingPlan, for: question.customer))
        context.scope = question.scope
        let rehearsals = campaigns.rehearsals(in: app)
        var decision = Self.settle(&context, &holding, campaigns.compiled, rehearsals, occasion)
        while !findings.isEmpty {
            let spent = decision.assignments.filter { [limiting, identity] in
                // A customer who has asked for many signatures stays in the campaign. They lapse within a day.
                $0.rehearsal == nil
                    && limiting.usedUp($0, identity[$0.revision.campaign.design.unit]!, findings).contains {
                        $0.usedUp?.rule != .outstanding
                    }
            }
            if spent.isEmpty { break }
            context.spentCampaigns.formUnion(spent.map { ExactText($0.campaignID) })
            decision = Self.settle(&context, &holding, campaigns.compiled, rehearsals, occasion)
        }
        self.decision = decision
        self.holding = holding
    }

    /// Decides anew until the decision takes no unit that another campaign holds.
    private static func settle(
        _ context: inout CampaignContext,
        _ holding: inout CampaignHolding,
        _ campaigns: CompiledCampaigns,
        _ rehearsals: CampaignRehearsals,
        _ occasion: OfferOccasion
    ) -> CampaignDecision {
        while true {
            var decision = campaigns.decide(context, rehearsing: rehearsals)
            // Retention Messaging shows the customer a single thing, so only one campaign takes the customer.
            if occasion.isRetention { decision = decision.upToFirstVariant }
            guard holding.look(at: decision) else { return decision }
            context.holders = holding.holders
        }
    }

    /// Whether the campaign's limits allow the customer no further signature.
    ///
    /// Limits do not apply to testers.
    ///
    /// - Parameter taken: what the request takes of limits already. A limit may have room for some of its items.
    func isSpent(_ assignment: CampaignAssignment, after taken: [Reservation]) -> Bool {
        guard assignment.rehearsal == nil else { return false }
        return limiting.usedUp(assignment, unit(assignment), findings).contains { finding in
            finding.room <= taken.count { $0.limit == finding.limit }
        }
    }

    /// The places in limits that a signature of an offer of the campaign takes.
    func reservations(_ assignment: CampaignAssignment, nonce: UUID) -> [Reservation] {
        assignment.rehearsal == nil ? limiting.reservations(assignment, unit(assignment), nonce: nonce) : []
    }

    /// The limits that must still have room, so that the campaigns may take the customer.
    ///
    /// - Parameter signed: the assignments for which an offer was signed. They need no probe, because the signature makes
    ///   reservations.
    func probes(without signed: [CampaignAssignment] = []) -> [Reservation] {
        decision.assignments.filter { $0.rehearsal == nil && !signed.contains($0) }
            .flatMap { limiting.probes($0, unit($0)) }
    }

    private func unit(_ assignment: CampaignAssignment) -> String {
        assignment.rehearsal?.tester.id ?? identity[assignment.revision.campaign.design.unit]!
    }

    /// The exposure of the customer to a campaign.
    ///
    /// - Parameter nonce: that of the signature, if one of the campaign's offers was signed; nil otherwise.
    func exposure(_ assignment: CampaignAssignment, nonce: UUID? = nil) -> Exposure {
        Exposure(
            arm: ExposureArm(
                partition: partition, campaign: assignment.campaignID, revision: assignment.revision.number,
                variant: assignment.allocation == .heldOut ? nil : assignment.variant,
                unitKind: assignment.rehearsal?.tester.kind ?? assignment.revision.campaign.design.unit),
            unit: unit(assignment), at: now, source: source, nonce: nonce, isRehearsal: assignment.rehearsal != nil,
            hold: holding.hold(of: assignment))
    }

    /// The exposures to be recorded: one for each signature, and one for each other campaign that has taken the customer.
    ///
    /// - Parameters:
    ///   - signed: offers of campaigns that were signed, with their nonces.
    ///   - memory: knows which exposures are recorded already.
    func exposures(signed: [(CampaignAssignment, UUID)] = [], _ memory: ExposureMemory) -> [Exposure] {
        var exposures = signed.map { exposure($0.0, nonce: $0.1) }
        for assignment in decision.assignments where !signed.contains(where: { $0.0 == assignment }) {
            let shown = exposure(assignment)
            if !memory.isKnown(shown) { exposures.append(shown) }
        }
        return exposures
    }

    private static func shown(_ name: String, _ occasion: OfferOccasion) -> String? {
        occasion.attributes.text(name).flatMap { $0.utf8.count <= maxShown && !$0.utf8.contains(0) ? $0 : nil }
    }
}

extension BucketingIdentity {
    /// The identity of the customer of a request.
    ///
    /// A customer who has bought nothing has one, too: a token or a backend proves the customer, and a token or an AppTransaction
    /// proves the Apple account.
    init(_ question: CampaignQuestion, _ facts: CustomerFacts) {
        let isNew = !question.stored.isSupplied
        let vouched = isNew && question.caller.role.may(.history) ? question.reference.customerID : nil
        let proven = BucketingIdentity(
            customerID: question.stored.customerID ?? question.caller.endUser?.customerID ?? vouched, facts: facts)
        self.init(
            customerID: proven.customerID,
            appTransactionID: proven.appTransactionID ?? question.reference.provenAppTransactionID,
            originalTransactionID: proven.originalTransactionID)
    }
}

/// The customer about whom an app's campaigns decide, and the request in which they do.
struct CampaignQuestion {
    /// The live campaigns, and those that testers rehearse.
    let campaigns: AppCampaigns
    /// The names that the request gives the customer.
    let reference: CustomerReference
    let customer: Customer
    /// The history that the customer's facts are drawn from.
    let stored: StoredHistory
    let occasion: OfferOccasion
    let app: App
    let caller: Caller
    /// Which campaigns decide.
    let scope: CampaignScope
}
