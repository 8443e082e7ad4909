import EligibilityRules
import FoundationEssentials
import OfferStore

/// One request for campaign offers, once its customer is looked up. Confined to the loop of its lane.
final class OfferTurn: LimitedTurn {
    let lane: StoreLane
    var findings: [LimitFinding] = []
    private let reference: CustomerReference
    private let question: CampaignQuestion
    private let inquiry: OfferInquiry
    private let reply: (Result<OfferInquiry.Findings, any Error>) -> Void
    /// The result that is being recorded.
    private var draft: (findings: OfferInquiry.Findings, exposures: [Exposure])?

    init(
        _ reference: CustomerReference,
        _ question: CampaignQuestion,
        inquiry: OfferInquiry,
        lane: StoreLane,
        reply: @escaping (Result<OfferInquiry.Findings, any Error>) -> Void
    ) {
        self.reference = reference
        self.question = question
        self.inquiry = inquiry
        self.lane = lane
        self.reply = reply
    }

    func decide() {
        let verdict = PromotionalOfferRule.verdict(for: question.customer)
        // One verdict for every offer: it does not depend on a variant.
        guard question.app.rules.enforcement == .advise || verdict.status == .eligible else {
            return reply(.success(OfferInquiry.Findings(assignments: [], offers: [], verdict: verdict)))
        }
        let choice = CampaignChoice(question, findings)
        let (offers, wanted) = given(choice.decision.offers)
        let exposures = choice.exposures(inquiry.rules.exposures)
        draft = (
            OfferInquiry.Findings(assignments: choice.decision.assignments, offers: offers, verdict: verdict), exposures
        )
        record(LedgerSubmission(nil, exposures: exposures, probes: wanted + choice.probes()))
    }

    func conclude(_ result: Result<LedgerOutcome, any Error>) {
        reply(
            result.flatMap { [inquiry, question, draft] outcome in
                // Without a signature only a revoked access key prevents the recording.
                guard outcome == .recorded else { return .failure(IssueError.callerRevoked) }
                guard let draft else { preconditionFailure("nothing was recorded") }
                inquiry.rules.exposures.note(draft.exposures)
                inquiry.observer.didAssign(draft.findings.assignments, partition: question.app.partition)
                return .success(draft.findings)
            })
    }

    /// The offers that no limit forbids, and the limits that must have room for them.
    private func given(_ offers: [CampaignOffer]) -> (offers: [CampaignOffer], probes: [Reservation]) {
        guard let limits = inquiry.rules.limits else { return (offers, []) }
        let (app, customer) = (question.app, question.customer)
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
