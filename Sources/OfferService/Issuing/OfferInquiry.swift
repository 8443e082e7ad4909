package import EligibilityRules
import FoundationEssentials
import OfferStore

/// The use case that says which offers the campaigns give a customer.
///
/// It records that campaigns have taken the customer, but signs nothing.
package final class OfferInquiry: Sendable {
    /// What the campaigns decide about one customer.
    package struct Findings: Sendable {
        /// The campaigns that have taken the customer, control and holdout included.
        package var assignments: [CampaignAssignment] = []
        /// The promotional offers that these campaigns give.
        package var offers: [CampaignOffer] = []
        /// What these campaigns decide about introductory offers, except decisions that come to nothing for the customer.
        package var introductoryOffers: [CampaignIntroductoryOffer] = []
        /// The links that these campaigns give.
        package var links: [CampaignLink] = []
        /// The verdict of the eligibility rules on promotional offers.
        package let verdict: Verdict
        /// The billing plan for which these offers are configured.
        package var billingPlan = BillingPlan.upfront
    }

    let histories: HistoryLookup
    let rules: OfferRules
    let clock: SigningClock
    let observer: any IssueObserver

    package init(histories: HistoryLookup, rules: OfferRules, clock: SigningClock, observer: any IssueObserver) {
        self.histories = histories
        self.rules = rules
        self.clock = clock
        self.observer = observer
    }

    /// Looks the customer up, decides, and records the decision. Replies on the event loop of the lane once the record is
    /// durable.
    package func choose(
        for reference: CustomerReference,
        _ occasion: OfferOccasion,
        of app: App,
        for caller: Caller,
        from supplier: Supplier,
        lane: StoreLane,
        reply: @escaping (Result<Findings, any Error>) -> Void
    ) {
        do {
            let reference = try reference.asked(by: caller)
            let campaigns = rules.campaigns?.campaigns(of: app) ?? AppCampaigns.none
            histories.find(
                reference, app, isWhole: campaigns.needsWholeHistory(in: app), from: supplier, lane: lane
            ) { [self] result in
                do {
                    let (reference, stored, _) = try result.get()
                    let customer = Customer(stored, of: app, now: try clock.now())
                    histories.lapsed?.look(at: customer.ownStatus, of: app, now: customer.now)
                    let verdict = PromotionalOfferRule.verdict(for: customer)
                    let question = CampaignQuestion(
                        campaigns: campaigns, reference: reference, customer: customer, stored: stored, occasion: occasion,
                        app: app, caller: caller,
                        scope: app.scope(verdict))
                    OfferTurn(question, verdict, inquiry: self, lane: lane, reply: reply).decide()
                } catch {
                    reply(.failure(error))
                }
            }
        } catch {
            reply(.failure(error))
        }
    }
}

extension App {
    /// Which campaigns decide for a customer.
    ///
    /// - Parameter verdict: the verdict of the eligibility rules on promotional offers.
    func scope(_ verdict: Verdict) -> CampaignScope {
        rules.enforcement == .enforce && verdict.status != .eligible ? .forNewCustomers : .all
    }
}
