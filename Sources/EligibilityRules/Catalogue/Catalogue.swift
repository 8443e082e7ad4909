/// The subscriptions that one app sells.
public struct Catalogue: Sendable {
    /// By product id.
    public let products: [ExactText: SubscriptionProduct]

    /// All products, in the order of their ids.
    public let sorted: [SubscriptionProduct]

    /// Whether any of its offers is limited.
    public let hasLimits: Bool

    /// - Parameter products: of several with the same id, the first counts.
    public init(products: [SubscriptionProduct]) {
        self.products = Dictionary(products.map { (ExactText($0.id), $0) }, uniquingKeysWith: { first, _ in first })
        sorted = self.products.values.sorted { TextOrder.precedes($0.id, $1.id) }
        hasLimits = sorted.contains { $0.promotionalOffers.values.contains { $0.limits != nil } }
    }

    /// Returns the product of exactly this id.
    public func product(_ id: String) -> SubscriptionProduct? { products[ExactText(id)] }
}

extension Catalogue {
    /// Returns the storefront whose prices stand for an audience: the first of those that it names, else USA, else the first by
    /// order. Nil if no prices are known there.
    ///
    /// - Parameter named: ISO 3166-1 alpha-3; empty: the audience names none.
    public func priceStorefront(among named: [String]) -> String? {
        let known = Set(sorted.flatMap(\.prices.keys))
        if !named.isEmpty { return named.first(where: known.contains) }
        return known.contains("USA") ? "USA" : known.min(by: TextOrder.precedes)
    }
}
