/// One auto-renewable subscription and its offers.
///
/// It is a class because every answer passes it on, and passing on an object costs only one reference count.
public final class SubscriptionProduct: Sendable {
    /// Product id.
    public let id: String
    /// Subscription group id.
    public let groupID: String
    /// The service level inside the group; 1 is the highest.
    public let level: Int
    /// How long one period lasts, as an ISO 8601 duration such as `P1M`.
    public let period: String
    /// The introductory offer; nil if the product has none.
    public let introductoryOffer: SubscriptionOffer?
    /// Promotional offers by offer id.
    public let promotionalOffers: [ExactText: SubscriptionOffer]
    /// The ids of the promotional offers, in order.
    public let promotionalOfferIDs: [String]
    /// The regular prices of a period, by storefront (ISO 3166-1 alpha-3).
    public let prices: [String: Money]

    /// Stores the given values without checking them, and sorts the ids of the promotional offers.
    public init(
        id: String,
        groupID: String,
        level: Int,
        period: String,
        introductoryOffer: SubscriptionOffer?,
        promotionalOffers: [ExactText: SubscriptionOffer],
        prices: [String: Money] = [:]
    ) {
        self.id = id
        self.groupID = groupID
        self.level = level
        self.period = period
        self.introductoryOffer = introductoryOffer
        self.promotionalOffers = promotionalOffers
        self.prices = prices
        promotionalOfferIDs = promotionalOffers.keys.map(\.string).sorted(by: TextOrder.precedes)
    }
}
