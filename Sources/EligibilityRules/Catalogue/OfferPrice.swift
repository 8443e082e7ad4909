/// What a customer pays with an offer in one storefront, and would pay without it.
public struct OfferPrice: Hashable, Sendable {
    /// The regular price of one of the product's periods; nil if unknown.
    public let regular: Money?
    /// The offer's price: of an instalment, or of the whole if it is paid at once. Nil for a free trial, and if unknown.
    public let reduced: Money?
    /// The regular price of the time that the offer covers; nil if unknown.
    public let full: Money?
    /// What a customer who takes it pays less in that time; nil if a price is unknown, never below 0.
    public let discount: Money?

    /// - Parameter storefront: ISO 3166-1 alpha-3; nil: no price is known.
    public init(_ offer: SubscriptionOffer, of product: SubscriptionProduct, in storefront: String?) {
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
