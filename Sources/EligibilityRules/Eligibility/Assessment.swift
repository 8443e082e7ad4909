/// What is known and decided about one customer at one instant. It is computed once and then only printed.
public struct Assessment: Sendable {
    /// The instant.
    public let asOf: Instant
    /// How much of the purchases is known.
    public let completeness: Completeness
    /// When the history last changed; nil if none was ever supplied.
    public let historyUpdatedAt: Instant?
    /// One for each requested product, in the requested order.
    public let products: [ProductAssessment]
    /// The owner of the running subscription of the requested Apple account; nil where none was requested.
    public var subscriptionOwner: AccountChain.Owner?

    /// Assesses a customer, which is borrowed because a copy counts ten references.
    public init(of customer: borrowing Customer, on products: [SubscriptionProduct], historyUpdatedAt: Instant?) {
        asOf = customer.now
        completeness = customer.completeness
        self.historyUpdatedAt = historyUpdatedAt
        // The same for all of an app's offers, so it is computed once.
        let promotional = PromotionalOfferRule.verdict(for: customer)
        var assessments: [ProductAssessment] = []
        assessments.reserveCapacity(products.count)
        for product in products {
            assessments.append(ProductAssessment(of: customer, on: product, promotional: promotional))
        }
        self.products = assessments
    }
}

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

/// Win-back offers: Apple computes who is eligible.
///
/// Its last statement counts from when the customer lapsed until the customer returns.
public enum WinBackOfferRule {
    /// Returns the win-back offers of a group that the customer is eligible for, best first.
    public static func offerIDs(inGroup groupID: String, for customer: Customer) -> [String] {
        guard customer.subscriptions.contains(where: { $0.winBackOffers != nil }) else { return [] }
        let chains = customer.chains(inGroup: groupID)
        guard chains.contains(where: { $0.winBackOffers != nil }) else { return [] }
        let status = customer.status(of: chains)
        guard !status.state.isCurrent else { return [] }
        let latest = chains.compactMap(\.winBackOffers).reduce(nil as Stamped<OfferIDs>?) { $0.merged(with: $1) }
        // A statement made before the customer's last return does not apply to a later lapse.
        guard let latest, status.transaction.map({ latest.stamp.asOf >= $0.purchasedAt }) ?? true else { return [] }
        return latest.value.ids
    }
}
