import EligibilityRules

/// What the app of the decision table sells.
enum Shop {
    static let group = "main"

    static let catalogue = Catalogue(products: [
        product("monthly"),
        product("sports"),
        product("yearly", period: "P1Y"),
        product("premium", level: 1),
        product("plain", hasIntroductoryOffer: false),
        product("news", group: "other"),
    ])

    private static func product(
        _ id: String,
        group: String = group,
        level: Int = 2,
        period: String = "P1M",
        hasIntroductoryOffer: Bool = true
    ) -> SubscriptionProduct {
        SubscriptionProduct(
            id: id,
            groupID: group,
            level: level,
            period: period,
            introductoryOffer: hasIntroductoryOffer ? SubscriptionOffer(kind: .freeTrial, period: "P1M") : nil,
            promotionalOffers: [ExactText("half"): SubscriptionOffer(kind: .payAsYouGo, period: "P3M")]
        )
    }
}
