/// What a customer in one storefront pays with an offer, and would pay without it.
public struct OfferPrice: Hashable, Sendable {
    /// The regular price of one period of the product; nil if unknown.
    public let regular: Money?
    /// The offer's price; nil for a free trial, and if unknown.
    ///
    /// It is the price of one instalment or, if the offer is paid up front, of the whole.
    public let reduced: Money?
    /// The regular price of as much time as the offer covers; nil if unknown.
    public let full: Money?
    /// How much less a customer with the offer pays for that time; nil if a price is unknown.
    ///
    /// It is never below 0.
    public let discount: Money?

    /// Computes the prices from the catalogue, with the product's regular price on the offer's billing plan.
    ///
    /// - Parameter storefront: ISO 3166-1 alpha-3; if nil, no price is known.
    public init(_ offer: SubscriptionOffer, of product: SubscriptionProduct, in storefront: String?) {
        let product = product.on(offer.billingPlan)
        let known = { (prices: [String: Money]) in storefront.flatMap { prices[$0] } }
        regular = known(product.prices)
        reduced = offer.kind == .freeTrial ? nil : known(offer.prices)
        guard let whole = CalendarPeriod(offer.period), let part = CalendarPeriod(product.period) else {
            (full, discount) = (nil, nil)
            return
        }
        let ratio = whole.ratio(to: part)
        let times = { (money: Money) in
            Money(amount: (money.amount * ratio.of * 2 + ratio.to) / (ratio.to * 2), currency: money.currency)
        }
        full = regular.map(times)
        let paid =
            switch offer.kind {
            case .freeTrial: full.map { Money(amount: 0, currency: $0.currency) }
            case .payAsYouGo: reduced.map(times)
            case .payUpFront: reduced
            }
        guard let full, let paid, full.currency == paid.currency else {
            discount = nil
            return
        }
        discount = Money(amount: max(0, full.amount - paid.amount), currency: full.currency)
    }
}
