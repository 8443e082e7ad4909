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

    init(request: SignatureRequest, app: App, histories: RequestHistories, now: Instant, lapsed: LapsedRefresher?) {
        self.request = request
        self.app = app
        self.histories = histories
        self.now = now
        self.lapsed = lapsed
    }

    /// Who asks for the request's promotional offers; nil when it names nobody, or asks for none.
    func buyer() -> Customer? {
        let index = request.items.firstIndex {
            switch $0.purpose {
            case .promotionalOffer, .campaignOffer: true
            case .introductoryOffer: false
            }
        }
        return index.flatMap(customer)
    }

    /// Whether one of the request's items may be signed.
    ///
    /// - Parameter buyer: who asks for its promotional offers.
    mutating func decision(onItem index: Int, _ buyer: Customer?) -> OfferDecision {
        let item = request.items[index]
        switch item.purpose {
        case .promotionalOffer, .campaignOffer:
            if let promotional { return promotional }
            let decision = OfferDecision.promotional(app.enforcement, buyer)
            promotional = decision
            return decision
        case .introductoryOffer(_, let allowed):
            guard let product = app.catalogue.product(item.productID) else {
                return .refuse(Verdict(.noOffer, .noIntroductoryOffer))
            }
            return .introductory(allowed: allowed, product, customer(ofItem: index))
        }
    }

    /// What campaigns come to for whoever asks; a request that names nobody is one of whom nothing is known.
    ///
    /// - Parameters:
    ///   - buyer: who asks, nil for nobody.
    ///   - findings: what was found of limits so far.
    func choice(
        ofItem index: Int,
        _ buyer: Customer?,
        _ campaigns: AppCampaigns,
        _ caller: Caller,
        _ findings: [LimitFinding]
    ) -> CampaignChoice {
        let stored = histories.history(ofItem: index) ?? .unknown
        let customer = buyer ?? Customer(stored, of: app, now: now)
        return CampaignChoice(campaigns, customer, stored, request.occasion, app, caller, findings)
    }

    private func customer(ofItem index: Int) -> Customer? {
        guard let stored = histories.history(ofItem: index) else { return nil }
        let customer = Customer(stored, of: app, now: now)
        if request.occasion.isRetention, stored.updatedAt == nil, let id = request.transactionID {
            // For the next time: the App Store does not wait so long.
            lapsed?.look(atUnknown: id, of: app, now: now)
        } else {
            lapsed?.look(at: customer.ownStatus, of: app, now: now)
        }
        return customer
    }
}
