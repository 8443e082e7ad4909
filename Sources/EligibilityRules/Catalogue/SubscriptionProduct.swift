/// One auto-renewable subscription and its offers. A class, because every answer passes it around.
public final class SubscriptionProduct: Sendable {
    /// Product id.
    public let id: String
    /// Subscription group id.
    public let groupID: String
    /// Service level inside the group; 1 is the highest.
    public let level: Int
    /// An ISO 8601 duration, such as `P1M`.
    public let period: String
    /// Nil if the product has none.
    public let introductoryOffer: SubscriptionOffer?
    /// Promotional offers by offer id.
    public let promotionalOffers: [ExactText: SubscriptionOffer]
    /// The ids of the promotional offers, in order.
    public let promotionalOfferIDs: [String]

    /// Takes the values as they are.
    public init(
        id: String,
        groupID: String,
        level: Int,
        period: String,
        introductoryOffer: SubscriptionOffer?,
        promotionalOffers: [ExactText: SubscriptionOffer]
    ) {
        self.id = id
        self.groupID = groupID
        self.level = level
        self.period = period
        self.introductoryOffer = introductoryOffer
        self.promotionalOffers = promotionalOffers
        promotionalOfferIDs = promotionalOffers.keys.map(\.string).sorted(by: TextOrder.precedes)
    }
}
