package import EligibilityRules
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

    private let histories: EligibilityInquiry
    private let campaigns: LiveCampaigns
    private let memory: ExposureMemory
    private let clock: SigningClock
    private let observer: any IssueObserver

    /// - Parameter histories: looks customers up.
    package init(
        histories: EligibilityInquiry,
        campaigns: LiveCampaigns,
        memory: ExposureMemory,
        clock: SigningClock,
        observer: any IssueObserver
    ) {
        self.histories = histories
        self.campaigns = campaigns
        self.memory = memory
        self.clock = clock
        self.observer = observer
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
            of: request, app, for: caller, isWhole: campaigns.compiled.needsWholeHistory, from: supplier, lane: lane
        ) { [self] result in
            do {
                let (stored, _) = try result.get()
                let customer = Customer(stored, of: app, now: try clock.now())
                decide(campaigns, customer, stored, occasion, app, caller, lane, reply)
            } catch {
                reply(.failure(error))
            }
        }
    }

    private func decide(
        _ campaigns: AppCampaigns,
        _ customer: Customer,
        _ stored: StoredHistory,
        _ occasion: OfferOccasion,
        _ app: App,
        _ caller: Caller,
        _ lane: StoreLane,
        _ reply: @escaping (Result<Findings, any Error>) -> Void
    ) {
        let verdict = PromotionalOfferRule.verdict(for: customer)
        // The same for every offer there is: nobody's variant matters to it.
        guard app.enforcement == .advise || verdict.status == .eligible else {
            return reply(.success(Findings(assignments: [], offers: [], verdict: verdict)))
        }
        let choice = CampaignChoice(campaigns, customer, stored, occasion, app, caller)
        let findings = Findings(
            assignments: choice.decision.assignments, offers: choice.decision.offers, verdict: verdict)
        let exposures = choice.exposures(memory)
        let conclude = { [self] in
            memory.note(exposures)
            observer.didAssign(findings.assignments, bundleID: app.partition)
            reply(.success(findings))
        }
        guard !exposures.isEmpty else { return conclude() }
        lane.record(LedgerSubmission(nil, exposures: exposures)) { result in
            switch result {
            case .success: conclude()
            case .failure(let error): reply(.failure(error))
            }
        }
    }
}
