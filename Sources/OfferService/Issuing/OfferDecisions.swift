import EligibilityRules
import OfferStore

/// The decisions about the items of one request; what several of them share is worked out once.
struct OfferDecisions {
    private let request: SignatureRequest
    private let app: App
    private let histories: RequestHistories
    private let now: Instant
    private let lapsed: LapsedRefresher?
    private var promotional: OfferDecision?
    /// Kept only where limits ask again.
    private var buyer: Customer??

    init(request: SignatureRequest, app: App, histories: RequestHistories, now: Instant, lapsed: LapsedRefresher?) {
        self.request = request
        self.app = app
        self.histories = histories
        self.now = now
        self.lapsed = lapsed
    }

    /// Whether one of the request's items may be signed.
    mutating func decision(onItem index: Int) -> OfferDecision {
        let item = request.items[index]
        switch item.purpose {
        case .promotionalOffer, .campaignOffer:
            if let promotional { return promotional }
            let decision = OfferDecision.promotional(
                app.enforcement,
                app.catalogue.hasLimits || request.reuse || request.asksCampaigns ? buyer(ofItem: index) : customer(ofItem: index)
            )
            promotional = decision
            return decision
        case .introductoryOffer(_, let allowed):
            guard let product = app.catalogue.product(item.productID) else {
                return .refuse(Verdict(.noOffer, .noIntroductoryOffer))
            }
            return .introductory(allowed: allowed, product, customer(ofItem: index))
        }
    }

    /// Who asks for the request's promotional offers; nil when it names nobody.
    mutating func buyer(ofItem index: Int) -> Customer? {
        if let buyer { return buyer }
        let found = customer(ofItem: index)
        buyer = .some(found)
        return found
    }

    /// What campaigns come to for whoever asks; a request that names nobody is one of whom nothing is known.
    ///
    /// - Parameter findings: what was found of limits so far.
    mutating func choice(
        ofItem index: Int,
        _ campaigns: AppCampaigns,
        _ caller: Caller,
        _ findings: [LimitFinding]
    ) -> CampaignChoice {
        let stored = histories.history(ofItem: index) ?? .unknown
        let customer = buyer(ofItem: index) ?? Customer(stored, of: app, now: now)
        return CampaignChoice(campaigns, customer, stored, request.occasion, app, caller, findings)
    }

    private func customer(ofItem index: Int) -> Customer? {
        guard let stored = histories.history(ofItem: index) else { return nil }
        let customer = Customer(stored, of: app, now: now)
        lapsed?.look(at: customer.ownStatus, of: app, now: now)
        return customer
    }
}
