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
