/// The subscriptions that one app sells.
public struct Catalogue: Sendable {
    /// The products by product id.
    public let products: [ExactText: SubscriptionProduct]

    /// All products, in the order of their ids.
    public let sorted: [SubscriptionProduct]

    /// Whether anything of a product depends on the billing plan.
    public let hasPlans: Bool
    /// The products as customers of each billing plan see them; empty if nothing depends on the plan.
    private let views: [BillingPlan: [ExactText: SubscriptionProduct]]

    /// Whether any promotional offer has limits.
    public let hasLimits: Bool

    /// The Apple id of the app in the App Store; nil if it is not known.
    public let appAppleID: Int64?

    /// Indexes products by id.
    ///
    /// - Parameter products: if several have the same id, the first of them counts.
    public init(products: [SubscriptionProduct], appAppleID: Int64? = nil) {
        self.appAppleID = appAppleID
        self.products = Dictionary(products.map { (ExactText($0.id), $0) }, uniquingKeysWith: { first, _ in first })
        sorted = self.products.values.sorted { TextOrder.precedes($0.id, $1.id) }
        let products = self.products
        hasPlans = sorted.contains(where: \.hasPlans)
        views =
            hasPlans
            ? Dictionary(uniqueKeysWithValues: BillingPlan.allCases.map { plan in (plan, products.mapValues { $0.on(plan) }) })
            : [:]
        hasLimits = sorted.contains { $0.promotionalOffers.values.contains { $0.limits != nil } }
    }

    /// Returns the product with this id, compared byte by byte; nil if there is none.
    public func product(_ id: String) -> SubscriptionProduct? { products[ExactText(id)] }

    /// Returns a product as customers of a billing plan see it; nil if there is no product with this id.
    public func product(_ id: String, on plan: BillingPlan) -> SubscriptionProduct? {
        guard let views = views[plan] else { return product(id)?.on(plan) }
        return views[ExactText(id)]
    }
}

extension Catalogue {
    /// Returns the storefront whose prices are shown as those of an audience; nil if no suitable prices are known.
    ///
    /// If the audience names storefronts, it is the first of these for which the catalogue has prices. Otherwise it is USA or, if
    /// prices are not known there, the first storefront in alphabetical order.
    ///
    /// - Parameter named: the storefronts that the audience names (ISO 3166-1 alpha-3); empty if it names none.
    public func priceStorefront(among named: [String]) -> String? {
        let known = Set(sorted.flatMap(\.prices.keys))
        if !named.isEmpty { return named.first(where: known.contains) }
        return known.contains("USA") ? "USA" : known.min(by: TextOrder.precedes)
    }
}
