/// An introductory or promotional offer as set up in App Store Connect.
public struct SubscriptionOffer: Hashable, Sendable {
    /// The payment mode.
    public let kind: OfferKind
    /// An ISO 8601 duration, such as `P3M`.
    public let period: String
    /// How often it is signed; nil for an unlimited or an introductory offer.
    public let limits: OfferLimits?
    /// Its prices by storefront: of each instalment where it is paid as you go, else of the whole. None for a free trial.
    public let prices: [String: Money]

    /// Takes the values as they are.
    public init(kind: OfferKind, period: String, limits: OfferLimits? = nil, prices: [String: Money] = [:]) {
        self.kind = kind
        self.period = period
        self.limits = limits
        self.prices = prices
    }

    /// Returns how many periods of a product one redemption covers. Paid in instalments, its renewals carry the offer, too.
    public func instalments(ofProductPeriod text: String) -> Int {
        guard kind == .payAsYouGo, let whole = CalendarPeriod(period), let part = CalendarPeriod(text) else { return 1 }
        return max(1, Int((whole.approximateDays + part.approximateDays / 2) / part.approximateDays))
    }
}
