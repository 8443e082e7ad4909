import EligibilityRules
import FoundationEssentials
import OfferStore

/// One request for campaign offers, once its customer is looked up. Confined to the loop of its lane.
final class OfferTurn: LimitedTurn {
    let lane: StoreLane
    var findings: [LimitFinding] = []
    private let reference: CustomerReference
    private let occasion: OfferOccasion
    private let inquiry: OfferInquiry
    private let app: App
    private let caller: Caller
    private let campaigns: AppCampaigns
    private let stored: StoredHistory
    private let customer: Customer
    private let reply: (Result<OfferInquiry.Findings, any Error>) -> Void
    /// The result that is being recorded.
    private var draft: (findings: OfferInquiry.Findings, exposures: [Exposure])?

    init(
        _ reference: CustomerReference,
        _ occasion: OfferOccasion,
        inquiry: OfferInquiry,
        app: App,
        caller: Caller,
        campaigns: AppCampaigns,
        stored: StoredHistory,
        customer: Customer,
        lane: StoreLane,
        reply: @escaping (Result<OfferInquiry.Findings, any Error>) -> Void
    ) {
        self.reference = reference
        self.occasion = occasion
        self.inquiry = inquiry
        self.app = app
        self.caller = caller
        self.campaigns = campaigns
        self.stored = stored
        self.customer = customer
        self.lane = lane
        self.reply = reply
    }

    func decide() {
        let verdict = PromotionalOfferRule.verdict(for: customer)
        // One verdict for every offer: it does not depend on a variant.
        guard app.enforcement == .advise || verdict.status == .eligible else {
            return reply(.success(OfferInquiry.Findings(assignments: [], offers: [], verdict: verdict)))
        }
        let choice = CampaignChoice(campaigns, customer, stored, occasion, app, caller, findings)
        let (offers, wanted) = given(choice.decision.offers)
        let exposures = choice.exposures(inquiry.rules.exposures)
        draft = (
            OfferInquiry.Findings(assignments: choice.decision.assignments, offers: offers, verdict: verdict), exposures
        )
        record(LedgerSubmission(nil, exposures: exposures, probes: wanted + choice.probes()))
    }

    func conclude(_ result: Result<LedgerOutcome, any Error>) {
        reply(
            result.flatMap { [inquiry, app, draft] outcome in
                // Without a signature only a revoked access key prevents the recording.
                guard outcome == .recorded else { return .failure(IssueError.callerRevoked) }
                guard let draft else { preconditionFailure("nothing was recorded") }
                inquiry.rules.exposures.note(draft.exposures)
                inquiry.observer.didAssign(draft.findings.assignments, partition: app.partition)
                return .success(draft.findings)
            })
    }

    /// The offers that no limit forbids, and the limits that must have room for them.
    private func given(_ offers: [CampaignOffer]) -> (offers: [CampaignOffer], probes: [Reservation]) {
        guard let limits = inquiry.rules.limits else { return (offers, []) }
        var (given, probes): ([CampaignOffer], [Reservation]) = ([], [])
        for offer in offers {
            var wanted: [Reservation] = []
            if let limited = app.limitedOffer(offer.offer.productID, offer.offer.offerID) {
                let share = limits.share(
                    of: limited, with: UUID(), for: reference, isReuse: false, app, at: customer.now, customer: customer)
                guard case .taken(let taken) = share else { continue }
                wanted = taken
            }
            guard !wanted.contains(where: { reservation in findings.contains { $0.isUsedUp && $0.limit == reservation.limit } })
            else {
                continue
            }
            given.append(offer)
            probes += wanted.map(\.asProbe)
        }
        return (given, probes)
    }
}
