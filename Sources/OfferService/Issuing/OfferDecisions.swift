import EligibilityRules
import OfferStore

/// The decisions about the items of one request; what several of them share is worked out once.
struct OfferDecisions {
    private let request: SignatureRequest
    private let app: App
    private let histories: [FoundHistory]
    private let now: Instant
    private let lapsed: LapsedRefresher?
    private var promotional: OfferDecision?

    init(request: SignatureRequest, app: App, histories: [FoundHistory], now: Instant, lapsed: LapsedRefresher?) {
        self.request = request
        self.app = app
        self.histories = histories
        self.now = now
        self.lapsed = lapsed
    }

    /// Whether an item may be signed.
    mutating func decision(on item: SignatureRequest.Item) -> OfferDecision {
        switch item.purpose {
        case .promotionalOffer:
            if let promotional { return promotional }
            let decision = OfferDecision.promotional(app.enforcement, customer(of: item))
            promotional = decision
            return decision
        case .introductoryOffer(_, let allowed):
            guard let product = app.catalogue.product(item.productID) else {
                return .refuse(Verdict(.noOffer, .noIntroductoryOffer))
            }
            return .introductory(allowed: allowed, product, customer(of: item))
        }
    }

    private func customer(of item: SignatureRequest.Item) -> Customer? {
        request.historyQuery(for: item, bundleID: app.bundleID).flatMap { query in
            guard let found = histories.first(where: { $0.query == query }) else { return nil }
            let customer = Customer(found.stored, of: app, now: now)
            lapsed?.look(at: customer.ownStatus, of: app, now: now)
            return customer
        }
    }
}
