import EligibilityRules

/// Everything that the rules say of a history.
struct Decisions: Hashable {
    let subscription: SubscriptionStatus
    let introductory: Verdict
    let promotional: Verdict
    let winBackOffers: [String]

    init(
        _ history: PurchaseHistory,
        policy: EligibilityPolicy = EligibilityPolicy(),
        at now: Instant = Month.now
    ) {
        let customer = Customer(
            history: history, completeness: .complete, catalogue: Shop.catalogue, policy: policy, now: now)
        subscription = customer.subscription(inGroup: Shop.group)
        introductory = IntroductoryOfferRule.verdict(on: Shop.catalogue.product("monthly")!, for: customer)
        promotional = PromotionalOfferRule.verdict(for: customer)
        winBackOffers = WinBackOfferRule.offerIDs(inGroup: Shop.group, for: customer)
    }
}
