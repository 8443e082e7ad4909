import EligibilityRules
import FoundationEssentials
import OfferStore

/// Applies the limits of campaigns.
///
/// All offers of a campaign count towards the same limits.
/// Uses are counted for the unit that the campaign puts into buckets. The id of that unit is always one that the service has
/// verified, so that a caller cannot escape a limit with another id.
/// A redemption counts towards the same limits as its signature.
struct CampaignLimiting {
    // A probe needs a nonce, but nothing is signed with it.
    private static let noNonce = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    private let bundleID: String
    private let environment: PurchaseEnvironment
    private let now: Instant

    init(_ app: App, at now: Instant) {
        bundleID = app.bundleID
        environment = app.policy.environment
        self.now = now
    }

    /// The places in limits that a signature of an offer of the campaign takes.
    ///
    /// - Parameter unit: the id that was put into buckets.
    func reservations(_ assignment: CampaignAssignment, _ unit: String, nonce: UUID) -> [Reservation] {
        guard let limits = assignment.revision.campaign.limits else { return [] }
        let scope = scope(assignment.campaignID)
        let reservation = { (name: LimitName, rule: Reservation.Rule) in
            Reservation(
                scope: scope, rule: rule, names: [name], madeAt: now, expiresAt: now.advanced(by: Reservation.lifetime),
                nonce: nonce, staysWithRedemption: true)
        }
        let terms = LimitTerms(outstanding: OfferLimits.defaultOutstanding, redeemed: limits.perCustomer, per: limits.per)
        var taken = [reservation(name(assignment, unit), .uses(terms))]
        if let max = limits.total { taken.append(reservation(.total, .total(max, countsRefunded: true))) }
        return taken
    }

    /// The limits that must still have room, so that the campaign may take a customer.
    ///
    /// They are the same for every variant. When a limit is used up, the campaign therefore takes no more units for any variant,
    /// not even for one without an offer. In this way the variants stay comparable.
    func probes(_ assignment: CampaignAssignment, _ unit: String) -> [Reservation] {
        reservations(assignment, unit, nonce: Self.noNonce).map(\.asProbe)
    }

    /// The limits of the campaign that the findings say are used up for the unit.
    func usedUp(_ assignment: CampaignAssignment, _ unit: String, _ findings: [LimitFinding]) -> [LimitFinding] {
        guard assignment.revision.campaign.limits != nil, !findings.isEmpty else { return [] }
        let scope = scope(assignment.campaignID)
        let limits = [LimitName.total, name(assignment, unit)].map(scope.text)
        return findings.filter { $0.usedUp != nil && limits.contains($0.limit) }
    }

    /// How much is used of the campaign's limit for all customers together. Throws a `StoreError`.
    func used(by campaign: String, in ledger: any Ledger) async throws(StoreError) -> Int {
        let reservation = Reservation(
            scope: scope(campaign), rule: .total(0, countsRefunded: true), names: [.total], madeAt: now, expiresAt: now,
            nonce: Self.noNonce)
        // A limit of 0 is always used up, so the store's finding always says how many uses it has counted.
        guard case .limited(let findings) = try await ledger.record(LedgerSubmission(nil, probes: [reservation.asProbe])),
            case .usedUp(let evidence)? = findings.first?.reason
        else { return 0 }
        return evidence.counted
    }

    private func name(_ assignment: CampaignAssignment, _ unit: String) -> LimitName {
        switch assignment.revision.campaign.design.unit {
        case .customer: LimitName(.customer, unit)
        case .appTransaction: LimitName(.account, unit)
        case .originalTransaction: LimitName(.subscription, unit)
        }
    }

    // No product has an empty id, so the scope is the campaign's own.
    private func scope(_ campaign: String) -> LimitScope {
        LimitScope(bundleID: bundleID, environment: environment, productID: "", offerID: campaign)
    }
}

extension LimitFinding {
    /// The limit that is used up; nil for a hold, which is not a limit.
    var usedUp: LimitEvidence? { if case .usedUp(let evidence) = reason { evidence } else { nil } }

    /// Whether another campaign of the exclusion group holds the unit, which is not a limit.
    var isHeld: Bool { if case .held = reason { true } else { false } }
}
