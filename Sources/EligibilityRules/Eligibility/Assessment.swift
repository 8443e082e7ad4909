/// What is known and decided about one customer at one instant.
///
/// It is computed once and then only printed.
public struct Assessment: Sendable {
    /// The instant at which the customer was assessed.
    public let asOf: Instant
    /// How much of the customer's purchases is known.
    public let completeness: Completeness
    /// When the history last changed; nil if no history was ever supplied.
    public let historyUpdatedAt: Instant?
    /// The assessments of the requested products, in the requested order.
    public let products: [ProductAssessment]
    /// The owner of the running subscription of the Apple account that the request names; nil if it names none.
    public var subscriptionOwner: AccountChain.Owner?

    /// Assesses a customer.
    ///
    /// The customer is borrowed, because a copy would change ten reference counts.
    public init(of customer: borrowing Customer, on products: [SubscriptionProduct], historyUpdatedAt: Instant?) {
        asOf = customer.now
        completeness = customer.completeness
        self.historyUpdatedAt = historyUpdatedAt
        // The verdict is the same for all promotional offers of an app, so it is computed once.
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
    /// The product of the catalogue.
    public let product: SubscriptionProduct
    /// The product's subscription group by the App Store's data or, if these do not name it, by the catalogue.
    public let groupID: String
    /// The customer's subscription in the group; a shared (Family Sharing) or assigned one counts, too.
    public let subscription: SubscriptionStatus
    /// Whether the customer may have the introductory offer.
    public let introductoryOffer: Verdict
    /// Whether the customer may have a promotional offer of the product.
    ///
    /// The App Store's rule is the same for all of them.
    public let promotionalOffers: Verdict
    /// The ids of the win-back offers that the App Store gives the customer in the group, the best one first.
    public let winBackOfferIDs: [String]
    /// The direct links of these win-back offers, as far as the catalogue has them.
    public var winBackLinks: [(offerID: String, link: String)] {
        product.winBackLinks.isEmpty ? [] : winBackOfferIDs.compactMap { id in product.winBackLinks[id].map { (id, $0) } }
    }

    init(of customer: borrowing Customer, on product: SubscriptionProduct, promotional: Verdict) {
        self.product = product
        groupID = customer.groupID(of: product)
        subscription = customer.subscription(inGroup: groupID)
        introductoryOffer = IntroductoryOfferRule.verdict(on: product, for: customer)
        promotionalOffers = promotional
        winBackOfferIDs = WinBackOfferRule.offerIDs(inGroup: groupID, for: customer)
    }
}

/// The rule for win-back offers: Apple computes which customers are eligible, and states it in the renewal information.
///
/// Apple's last statement counts while the customer's subscription is lapsed, and no longer once the customer has returned.
public enum WinBackOfferRule {
    /// Returns the ids of the win-back offers of a group for which the customer is eligible, the best one first.
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
