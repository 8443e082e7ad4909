/// One auto-renewable subscription and its offers.
///
/// It is a class because every answer passes it on, and passing on an object costs only one reference count.
public final class SubscriptionProduct: Sendable {
    /// The plan in which the customer commits to twelve months and pays monthly.
    public struct MonthlyPlan: Hashable, Sendable {
        /// The introductory offer; nil if the plan has none.
        public let introductoryOffer: SubscriptionOffer?
        /// The regular prices of a month, by storefront (ISO 3166-1 alpha-3).
        public let prices: [String: Money]

        /// Stores the given values without checking them.
        public init(introductoryOffer: SubscriptionOffer? = nil, prices: [String: Money] = [:]) {
            self.introductoryOffer = introductoryOffer
            self.prices = prices
        }
    }

    /// Product id.
    public let id: String
    /// Subscription group id.
    public let groupID: String
    /// The service level inside the group; 1 is the highest.
    public let level: Int
    /// How long one period lasts, as an ISO 8601 duration such as `P1M`.
    public let period: String
    /// The introductory offer for customers who pay upfront; nil if there is none.
    public let introductoryOffer: SubscriptionOffer?
    /// Promotional offers by offer id, those of all billing plans.
    public let promotionalOffers: [ExactText: SubscriptionOffer]
    /// The ids of the promotional offers, in order.
    public let promotionalOfferIDs: [String]
    /// The regular prices of a period that is paid upfront, by storefront (ISO 3166-1 alpha-3).
    public let prices: [String: Money]
    /// The monthly plan; nil if the product has none.
    public let monthlyPlan: MonthlyPlan?

    /// The direct links of win-back offers by offer id, as App Store Connect shows them.
    public let winBackLinks: [String: String]

    /// Stores the given values without checking them, and sorts the ids of the promotional offers.
    public init(
        id: String,
        groupID: String,
        level: Int,
        period: String,
        introductoryOffer: SubscriptionOffer?,
        promotionalOffers: [ExactText: SubscriptionOffer],
        prices: [String: Money] = [:],
        monthlyPlan: MonthlyPlan? = nil
    ) {
        self.id = id
        self.groupID = groupID
        self.level = level
        self.period = period
        self.introductoryOffer = introductoryOffer
        self.promotionalOffers = promotionalOffers
        self.prices = prices
        self.monthlyPlan = monthlyPlan
        winBackLinks = [:]
        promotionalOfferIDs = promotionalOffers.keys.map(\.string).sorted(by: TextOrder.precedes)
    }

    /// The product with the direct links of its win-back offers.
    public init(_ product: SubscriptionProduct, winBackLinks: [String: String]) {
        id = product.id
        groupID = product.groupID
        level = product.level
        period = product.period
        introductoryOffer = product.introductoryOffer
        promotionalOffers = product.promotionalOffers
        promotionalOfferIDs = product.promotionalOfferIDs
        prices = product.prices
        monthlyPlan = product.monthlyPlan
        self.winBackLinks = winBackLinks
    }

    /// Whether anything of the product depends on the billing plan.
    public var hasPlans: Bool { monthlyPlan != nil || promotionalOffers.values.contains { $0.billingPlan == .monthly } }

    /// The introductory offers of all billing plans, one for each plan at most.
    public var introductoryOffers: [SubscriptionOffer] { [introductoryOffer, monthlyPlan?.introductoryOffer].compactMap(\.self) }

    /// Returns the product as customers of a billing plan see it: with the offers and prices of that plan only.
    ///
    /// App Store Connect configures each offer for one plan. An offer of another plan is therefore no offer. Asking the result for
    /// the same plan again changes nothing.
    public func on(_ plan: BillingPlan) -> SubscriptionProduct {
        if plan == .upfront, !hasPlans { return self }
        let product = SubscriptionProduct(
            id: id, groupID: groupID, level: level, period: plan == .upfront ? period : "P1M",
            introductoryOffer: plan == .upfront ? introductoryOffer : monthlyPlan?.introductoryOffer,
            promotionalOffers: promotionalOffers.filter { $0.value.billingPlan == plan },
            prices: plan == .upfront ? prices : monthlyPlan?.prices ?? [:],
            monthlyPlan: plan == .upfront ? nil : monthlyPlan)
        return winBackLinks.isEmpty ? product : SubscriptionProduct(product, winBackLinks: winBackLinks)
    }
}
