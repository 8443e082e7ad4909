import EligibilityRules
import OfferStore

/// The decisions about the items of one request; what several of them share is worked out once.
struct OfferDecisions {
    private let request: SignatureRequest
    private let app: App
    private let histories: [FoundHistory]
    private let now: Instant
    private var promotional: OfferDecision?

    init(request: SignatureRequest, app: App, histories: [FoundHistory], now: Instant) {
        self.request = request
        self.app = app
        self.histories = histories
        self.now = now
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
            histories.first { $0.query == query }.map { Customer($0.stored, of: app, now: now) }
        }
    }
}
