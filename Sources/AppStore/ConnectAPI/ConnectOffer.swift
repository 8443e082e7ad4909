package import EligibilityRules

/// An offer in App Store Connect.
package struct ConnectOffer: Equatable, Sendable {
    /// The id in StoreKit; empty for an introductory offer, which has none.
    package let id: String
    package let kind: OfferKind
    /// ISO 8601, over all of its periods.
    package let period: String
    /// The first day, as `2026-01-31`; nil for no beginning.
    package let from: String?
    /// The last day; nil for no end.
    package let until: String?
    /// ISO 3166-1 alpha-3, sorted. Empty means everywhere, or not stated.
    package let territories: [String]
    /// The prices of today by territory; empty where they were not wanted, and for a free trial.
    package let prices: [String: Money]

    /// Whether it has ended on a day.
    func isOver(on day: String) -> Bool { until.map { $0 < day } ?? false }

    /// Returns the offer with other territories and prices.
    func with(territories: [String], prices: [String: Money]) -> ConnectOffer {
        ConnectOffer(
            id: id, kind: kind, period: period, from: from, until: until, territories: territories, prices: prices)
    }
}
