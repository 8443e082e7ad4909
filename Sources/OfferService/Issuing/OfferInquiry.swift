package import EligibilityRules
import FoundationEssentials
import OfferStore

/// The use case: which offers do campaigns give a customer? Records that they have taken the customer; signs nothing.
package final class OfferInquiry: Sendable {
    /// What came of it.
    package struct Findings: Sendable {
        /// The campaigns that have taken the customer, control and holdout included.
        package let assignments: [CampaignAssignment]
        /// What they give.
        package let offers: [CampaignOffer]
        /// What the eligibility rules say of promotional offers.
        package let verdict: Verdict
    }

    /// How many limits may turn out to be used up before a request is given up.
    private static let maxFindings = 80

    private let histories: EligibilityInquiry
    private let campaigns: LiveCampaigns
    private let memory: ExposureMemory
    private let clock: SigningClock
    private let observer: any IssueObserver
    /// Nil: no offer is limited.
    private let limits: (any OfferLimiting)?

    /// - Parameter histories: looks customers up.
    package init(
        histories: EligibilityInquiry,
        campaigns: LiveCampaigns,
        memory: ExposureMemory,
        clock: SigningClock,
        observer: any IssueObserver,
        limits: (any OfferLimiting)? = nil
    ) {
        self.histories = histories
        self.campaigns = campaigns
        self.memory = memory
        self.clock = clock
        self.observer = observer
        self.limits = limits
    }

    /// Looks the customer up, decides and records; replies on the lane's loop, once that is durable.
    package func choose(
        for request: EligibilityInquiry.Request,
        _ occasion: OfferOccasion,
        of app: App,
        for caller: Caller,
        from supplier: Supplier,
        lane: StoreLane,
        reply: @escaping (Result<Findings, any Error>) -> Void
    ) {
        let campaigns = campaigns.campaigns(of: app)
        histories.findHistory(
            of: request, app, for: caller, isWhole: campaigns.needsWholeHistory(in: app), from: supplier, lane: lane
        ) { [self] result in
            do {
                let (stored, _) = try result.get()
                let customer = Customer(stored, of: app, now: try clock.now())
                histories.refreshIfLapsed(customer, of: app)
                let question = Question(
                    request: try request.asked(by: caller), occasion: occasion, app: app, caller: caller, campaigns: campaigns,
                    stored: stored, customer: customer, lane: lane, reply: reply)
                decide(question, [])
            } catch {
                reply(.failure(error))
            }
        }
    }

    private func decide(_ question: Question, _ findings: [LimitFinding]) {
        let verdict = PromotionalOfferRule.verdict(for: question.customer)
        // The same for every offer there is: nobody's variant matters to it.
        guard question.app.enforcement == .advise || verdict.status == .eligible else {
            return question.reply(.success(Findings(assignments: [], offers: [], verdict: verdict)))
        }
        let choice = question.choice(findings)
        let (offers, wanted) = question.given(choice.decision.offers, limits, findings)
        let exposures = choice.exposures(memory)
        let submission = LedgerSubmission(nil, exposures: exposures, probes: wanted + choice.probes())
        let conclude = { [self] in
            memory.note(exposures)
            observer.didAssign(choice.decision.assignments, bundleID: question.app.partition)
            question.reply(
                .success(Findings(assignments: choice.decision.assignments, offers: offers, verdict: verdict)))
        }
        guard !submission.isEmpty || !submission.probes.isEmpty else { return conclude() }
        question.lane.record(submission) { [self] result in
            switch result {
            case .success(.limited(let found)):
                guard findings.count < Self.maxFindings else {
                    return question.reply(
                        .failure(IssueError.notReady("too many limits were used up meanwhile", of: .load)))
                }
                decide(question, findings + found)
            case .success: conclude()
            case .failure(let error): question.reply(.failure(error))
            }
        }
    }
}

extension OfferInquiry {
    /// One request on its way.
    fileprivate struct Question {
        let request: EligibilityInquiry.Request
        let occasion: OfferOccasion
        let app: App
        let caller: Caller
        let campaigns: AppCampaigns
        let stored: StoredHistory
        let customer: Customer
        let lane: StoreLane
        let reply: (Result<Findings, any Error>) -> Void

        func choice(_ findings: [LimitFinding]) -> CampaignChoice {
            CampaignChoice(campaigns, customer, stored, occasion, app, caller, findings)
        }

        /// The offers that nothing forbids, and what must have room for them.
        func given(
            _ offers: [CampaignOffer],
            _ limits: (any OfferLimiting)?,
            _ findings: [LimitFinding]
        ) -> (offers: [CampaignOffer], probes: [Reservation]) {
            guard let limits else { return (offers, []) }
            var (given, probes): ([CampaignOffer], [Reservation]) = ([], [])
            let asked = SignatureRequest(
                customerID: request.customerID, applicationUsername: request.appAccountToken ?? "", form: .payload,
                transactionID: request.originalTransactionID, appTransactionID: request.appTransactionID, items: [])
            for offer in offers {
                var wanted: [Reservation] = []
                if let limited = app.limitedOffer(offer.offer.productID, offer.offer.offerID) {
                    let share = limits.share(of: limited, with: UUID(), asked, app, at: customer.now, customer: customer)
                    guard case .taken(let taken) = share else { continue }
                    wanted = taken
                }
                guard !wanted.contains(where: { wish in findings.contains { $0.isUsedUp && $0.limit == wish.limit } })
                else { continue }
                given.append(offer)
                probes += wanted.map(\.asProbe)
            }
            return (given, probes)
        }
    }
}
