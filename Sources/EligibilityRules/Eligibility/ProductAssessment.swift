/// One customer's subscription in a product's group, and the offers of the product that the customer may have.
public struct ProductAssessment: Sendable {
    /// The product, as the catalogue has it.
    public let product: SubscriptionProduct
    /// Its subscription group, from the App Store or else from the catalogue.
    public let groupID: String
    /// The subscription in the group, including shared ones.
    public let subscription: SubscriptionStatus
    /// Whether the customer may have the introductory offer.
    public let introductoryOffer: Verdict
    /// Whether the customer may have a promotional offer. It is the same for all of the product's.
    public let promotionalOffers: Verdict
    /// The win-back offers that the App Store gives the customer in the group, best first.
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
