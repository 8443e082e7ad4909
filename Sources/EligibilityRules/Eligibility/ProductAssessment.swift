/// What one customer has of a product's subscription group, and which of the product's offers they may have.
public struct ProductAssessment: Sendable {
    /// The product, as the catalogue has it.
    public let product: SubscriptionProduct
    /// Its subscription group: as the App Store says, or else as the catalogue does.
    public let groupID: String
    /// The subscription in the group, shared ones included.
    public let subscription: SubscriptionStatus
    /// Whether the customer may have the introductory offer.
    public let introductoryOffer: Verdict
    /// Whether they may have a promotional offer: the same for all of the product's.
    public let promotionalOffers: Verdict
    /// The win-back offers that the App Store gives them in the group, best first.
    public let winBackOfferIDs: [String]

    init(of customer: borrowing Customer, on product: SubscriptionProduct, promotional: Verdict) {
        self.product = product
        groupID = customer.groupID(of: product)
        subscription = customer.subscription(inGroup: groupID)
        introductoryOffer = IntroductoryOfferRule.verdict(on: product, for: customer)
        promotionalOffers = promotional
        winBackOfferIDs = WinBackOfferRule.offerIDs(inGroup: groupID, for: customer)
    }
}
