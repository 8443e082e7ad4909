package import EligibilityRules

/// An offer in App Store Connect.
package struct ConnectOffer: Equatable, Sendable {
    /// The id in StoreKit; empty for an introductory offer, which has none.
    package let id: String
    package let kind: OfferKind
    /// How long the offer lasts in all, over all of its periods, in ISO 8601.
    package let period: String
    /// The first day, such as `2026-01-31`; nil if the offer has none.
    package let from: String?
    /// The last day; nil if the offer has none.
    package let until: String?
    /// The territories of the offer in ISO 3166-1 alpha-3, sorted. Empty if it is for all, or App Store Connect states none.
    package let territories: [String]
    /// The prices of today by territory; empty if they were not read, and for a free trial.
    package let prices: [String: Money]

    /// Whether the last day is before a day.
    func isOver(on day: String) -> Bool { until.map { $0 < day } ?? false }

    /// Returns the offer with other territories and prices.
    func with(territories: [String], prices: [String: Money]) -> ConnectOffer {
        ConnectOffer(
            id: id, kind: kind, period: period, from: from, until: until, territories: territories, prices: prices)
    }
}
