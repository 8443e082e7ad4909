import EligibilityRules
import OfferStore

/// The decisions about the items of one request.
///
/// If several items share a decision, it is made once.
struct SigningDecisions {
    private let turn: SignatureTurn
    private let now: Instant
    private var promotional: SigningDecision?

    private var app: App { turn.app }

    init(of turn: SignatureTurn, at now: Instant) {
        self.turn = turn
        self.now = now
    }

    /// The customer for the request's promotional offers; nil if it names no customer, or asks for no promotional offer.
    func buyer() -> Customer? {
        let index = turn.request.items.firstIndex {
            switch $0.purpose {
            case .promotionalOffer, .campaignOffer: true
            case .introductoryOffer: false
            }
        }
        return index.flatMap(customer)
    }

    /// Whether one item of the request may be signed.
    ///
    /// - Parameter buyer: the customer for the promotional offers of the request.
    mutating func decision(onItem index: Int, _ buyer: Customer?) -> SigningDecision {
        let item = turn.request.items[index]
        switch item.purpose {
        case .promotionalOffer, .campaignOffer:
            if let promotional { return promotional }
            let decision = SigningDecision.promotional(app.rules.enforcement, buyer)
            promotional = decision
            return decision
        case .introductoryOffer(_, .given(let allowed)): return .signOverride(allowed: allowed)
        case .introductoryOffer: return introductory(onItem: index, nil).decision
        }
    }

    /// Whether an override of introductory-offer eligibility is signed, and the campaign that has decided; nil if none has.
    ///
    /// - Parameter choice: the decision of the campaigns; nil if the eligibility rules alone decide.
    func introductory(
        onItem index: Int,
        _ choice: CampaignChoice?
    ) -> (decision: SigningDecision, campaign: CampaignAssignment?) {
        let item = turn.request.items[index]
        guard let product = app.catalogue.product(item.productID, on: turn.request.occasion.billingPlan ?? .upfront) else {
            return (.refuse(Verdict(.noOffer, .noIntroductoryOffer)), nil)
        }
        let given = choice?.decision.introductoryOffers.first { ExactText($0.offer.productID) == ExactText(product.id) }
        guard case .introductoryOffer(let transactionID, _) = item.purpose else {
            preconditionFailure("the item is about an introductory offer")
        }
        return SigningDecision.introductory(product, customer(ofItem: index), transactionID, given)
    }

    /// The decision of the campaigns.
    ///
    /// If the request names no customer, the campaigns decide as for a customer without known purchases.
    ///
    /// - Parameters:
    ///   - buyer: the customer; nil if the request names none.
    ///   - findings: what the ledger has found about limits so far.
    func choice(
        ofItem index: Int,
        _ buyer: Customer?,
        _ campaigns: AppCampaigns,
        _ caller: Caller,
        _ findings: [LimitFinding]
    ) -> CampaignChoice {
        let stored = turn.histories.history(ofItem: index) ?? .unknown
        let customer = buyer ?? Customer(stored, of: app, now: now)
        let item = turn.request.items[index]
        let question = CampaignQuestion(
            campaigns: campaigns, reference: turn.request.customer(ofItem: item, for: caller), customer: customer, stored: stored,
            occasion: turn.request.occasion, app: app, caller: caller,
            scope: item.purpose.isIntroductory ? .introductoryOffers : .all)
        return CampaignChoice(question, findings)
    }

    private func customer(ofItem index: Int) -> Customer? {
        guard let stored = turn.histories.history(ofItem: index) else { return nil }
        let customer = Customer(stored, of: app, now: now)
        if turn.request.occasion.isRetention, stored.updatedAt == nil, let id = turn.request.transactionID {
            // The answer helps only the next request, because the App Store does not wait long enough for the service to ask now.
            turn.issuer.histories.lapsed?.look(atUnknown: id, of: app, now: now)
        } else {
            turn.issuer.histories.lapsed?.look(at: customer.ownStatus, of: app, now: now)
        }
        return customer
    }
}
