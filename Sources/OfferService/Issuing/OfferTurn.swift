import EligibilityRules
import FoundationEssentials
import OfferStore

/// One request for campaign offers, after its customer was looked up. It is confined to the event loop of its lane.
final class OfferTurn: LimitedTurn {
    let lane: StoreLane
    var findings: [LimitFinding] = []
    private let question: CampaignQuestion
    /// The verdict of the eligibility rules on promotional offers, which is the same for each of them.
    private let verdict: Verdict
    private let inquiry: OfferInquiry
    private let reply: (Result<OfferInquiry.Findings, any Error>) -> Void
    /// What has been decided and is being recorded; nil before the first decision.
    private var draft: (findings: OfferInquiry.Findings, exposures: [Exposure])?

    init(
        _ question: CampaignQuestion,
        _ verdict: Verdict,
        inquiry: OfferInquiry,
        lane: StoreLane,
        reply: @escaping (Result<OfferInquiry.Findings, any Error>) -> Void
    ) {
        self.verdict = verdict
        self.question = question
        self.inquiry = inquiry
        self.lane = lane
        self.reply = reply
    }

    func decide() {
        // Whether campaigns decide must not depend on the variant, or the variants could not be compared.
        guard question.scope == .all || question.campaigns.decide(in: question.scope, of: question.app) else {
            return reply(.success(OfferInquiry.Findings(verdict: verdict)))
        }
        let choice = CampaignChoice(question, findings)
        let (offers, wanted) = given(choice.decision.offers)
        let exposures = choice.exposures(inquiry.rules.exposures)
        draft = (
            OfferInquiry.Findings(
                assignments: choice.decision.assignments, offers: offers,
                introductoryOffers: introductoryOffers(choice.decision), links: choice.decision.links, verdict: verdict,
                billingPlan: question.occasion.billingPlan ?? .upfront),
            exposures
        )
        record(LedgerSubmission(nil, exposures: exposures, probes: wanted + choice.probes()))
    }

    func conclude(_ result: Result<LedgerOutcome, any Error>) {
        reply(
            result.flatMap { [inquiry, question, draft] outcome in
                // A submission without a signature is always recorded, unless the caller's access key was revoked.
                guard outcome == .recorded else { return .failure(IssueError.callerRevoked) }
                guard let draft else { preconditionFailure("nothing was recorded") }
                inquiry.rules.exposures.note(draft.exposures)
                inquiry.observer.didAssign(draft.findings.assignments, partition: question.app.partition)
                return .success(draft.findings)
            })
    }

    /// The decisions about introductory offers that come to something for the customer.
    private func introductoryOffers(_ decision: CampaignDecision) -> [CampaignIntroductoryOffer] {
        let customer = question.customer
        return decision.introductoryOffers.filter { given in
            let product = question.app.catalogue.product(given.offer.productID, on: question.occasion.billingPlan ?? .upfront)
            guard let product else { return false }
            switch given.outcome(on: product, for: customer, IntroductoryOfferRule.verdict(on: product, for: customer)) {
            case nil: return false
            // A signature that names anything else would not give it.
            case .override(allowed: true): return question.reference.accountNames.allSatisfy(customer.hasBought)
            case .override, .notNeeded: return true
            }
        }
    }

    /// The offers that no limit forbids, and probes of the limits that must have room for these offers.
    private func given(_ offers: [CampaignOffer]) -> (offers: [CampaignOffer], probes: [Reservation]) {
        let (app, customer) = (question.app, question.customer)
        guard let limits = inquiry.rules.limits else { return (offers, []) }
        var (given, probes): ([CampaignOffer], [Reservation]) = ([], [])
        for offer in offers {
            var wanted: [Reservation] = []
            if let limited = app.limitedOffer(offer.offer.productID, offer.offer.offerID) {
                let share = limits.share(
                    of: limited, with: UUID(), for: question.reference, app, at: customer.now, customer: customer)
                guard case .taken(let taken) = share else { continue }
                wanted = taken
            }
            guard
                !wanted.contains(where: { reservation in findings.contains { $0.usedUp != nil && $0.limit == reservation.limit } }
                )
            else {
                continue
            }
            given.append(offer)
            probes += wanted.map(\.asProbe)
        }
        return (given, probes)
    }
}

/// A decision that is made again each time the ledger finds that a limit is used up. It is confined to the event loop of its
/// lane.
protocol LimitedTurn: AnyObject {
    var lane: StoreLane { get }
    /// What the ledger has found about limits so far.
    var findings: [LimitFinding] { get set }

    /// Decides anew, in view of `findings`.
    func decide()

    /// Answers the request with what was recorded, or with the reason why nothing was. `result` is never `limited`.
    func conclude(_ result: Result<LedgerOutcome, any Error>)
}

/// After this number of findings about limits, no further decision is made.
///
/// It is high, because a request may have 20 offers, each with several limits.
private let maxFindings = 80

extension LimitedTurn {
    /// Records the results of a decision and concludes. If a limit turns out to be used up, it decides again instead.
    func record(_ submission: LedgerSubmission) {
        guard !submission.isEmpty || !submission.probes.isEmpty else { return conclude(.success(.recorded)) }
        lane.record(submission) { [self] result in
            switch result {
            case .success(.limited) where findings.count >= maxFindings:
                conclude(.failure(IssueError.notReady("too many limits were used up meanwhile", of: .load)))
            case .success(.limited(let found)):
                findings += found
                decide()
            case .success(let outcome): conclude(.success(outcome))
            case .failure(let error): conclude(.failure(error))
            }
        }
    }
}
