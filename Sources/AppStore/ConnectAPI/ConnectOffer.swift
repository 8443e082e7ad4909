package import EligibilityRules

/// An offer in App Store Connect.
package struct ConnectOffer: Equatable, Sendable {
    /// The id in StoreKit; empty for an introductory offer, which has none.
    package let id: String
    package let kind: OfferKind
    /// How long the offer lasts in all, in ISO 8601. It is the sum of all of its periods: `P3M` for three periods of a month.
    package let period: String
    /// The first day on which the offer can be redeemed, such as `2026-01-31`; nil if it has no start date.
    package let from: String?
    /// The last day on which the offer can be redeemed; nil if it has no end date.
    package let until: String?
    /// The territories of the offer in ISO 3166-1 alpha-3, sorted; empty if it is for all, or if App Store Connect states none.
    package let territories: [String]
    /// The prices of today, by territory. Empty for a free trial, and if prices were not read.
    package let prices: [String: Money]
    /// The billing plan for which the offer is configured.
    package let billingPlan: BillingPlan

    /// Whether the offer ended before a day.
    func isOver(on day: String) -> Bool { until.map { $0 < day } ?? false }

    /// Returns the offer with other territories and prices.
    func with(territories: [String], prices: [String: Money]) -> ConnectOffer {
        ConnectOffer(
            id: id, kind: kind, period: period, from: from, until: until, territories: territories, prices: prices,
            billingPlan: billingPlan)
    }
}
