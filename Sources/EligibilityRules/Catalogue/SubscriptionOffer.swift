/// An introductory or promotional offer as set up in App Store Connect.
public struct SubscriptionOffer: Hashable, Sendable {
    /// The payment mode.
    public let kind: OfferKind
    /// How long the offer lasts, as an ISO 8601 duration such as `P3M`.
    public let period: String
    /// How often the offer is signed; nil for an offer without limits, and for an introductory offer.
    public let limits: OfferLimits?
    /// The offer's prices by storefront; empty for a free trial.
    ///
    /// They are the prices of one instalment if the offer is paid as you go, otherwise of the whole.
    public let prices: [String: Money]
    /// The billing plan for which the offer is configured.
    public let billingPlan: BillingPlan

    /// Stores the given values without checking them.
    public init(
        kind: OfferKind,
        period: String,
        limits: OfferLimits? = nil,
        prices: [String: Money] = [:],
        billingPlan: BillingPlan = .upfront
    ) {
        self.kind = kind
        self.period = period
        self.limits = limits
        self.prices = prices
        self.billingPlan = billingPlan
    }

    /// Returns how many periods of a product carry the offer after one redemption.
    ///
    /// It is 1 unless the offer is paid as you go: then renewals carry the offer, too.
    public func instalments(ofProductPeriod text: String) -> Int {
        guard kind == .payAsYouGo, let whole = CalendarPeriod(period), let part = CalendarPeriod(text) else { return 1 }
        return max(1, Int((whole.approximateDays + part.approximateDays / 2) / part.approximateDays))
    }
}
