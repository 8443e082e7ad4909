package import EligibilityRules

/// An offer as App Store Connect has it.
package struct ConnectOffer: Equatable, Sendable {
    /// The id that StoreKit knows it by; empty for an introductory offer, which has none.
    package let id: String
    package let kind: OfferKind
    /// ISO 8601, over all of its periods.
    package let period: String
    /// The first day, `2026-01-31`; nil: since ever.
    package let from: String?
    /// The last day; nil: without end.
    package let until: String?
    /// ISO 3166-1 alpha-3, sorted; empty: everywhere, or not told.
    package let territories: [String]

    /// Whether it is over on a day.
    func isOver(on day: String) -> Bool { until.map { $0 < day } ?? false }

    /// The same with other territories.
    func with(territories: [String]) -> ConnectOffer {
        ConnectOffer(id: id, kind: kind, period: period, from: from, until: until, territories: territories)
    }
}
