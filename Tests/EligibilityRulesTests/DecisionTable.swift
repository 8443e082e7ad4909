import EligibilityRules

/// Who may have which offer, row by row: the source of the tests and of the table in docs/eligibility.md.
enum DecisionTable {
    static let sections: [(title: String, rows: [DecisionRow])] = [
        ("Nothing bought", newcomers),
        ("Subscribed before", lapsed),
        ("Subscribed now", current),
        ("Refunds", refunds),
        ("Changes of product", changes),
        ("Family Sharing", families),
        ("What the history does not show", gaps),
        ("Doubtful facts", doubts),
    ]

    static let rows = sections.flatMap(\.rows)

    private static let requiring = EligibilityPolicy(requiresHistory: true)

    private static let newcomers = [
        DecisionRow(
            "new customer", [], isHistorySupplied: false, .never,
            introductory: .eligible(.newCustomer), promotional: .ineligible(.neverSubscribed)),
        DecisionRow(
            "nothing ever supplied, `requireHistory`", [], isHistorySupplied: false, policy: requiring, .never,
            introductory: .unknown(.noHistory), promotional: .unknown(.noHistory)),
        DecisionRow(
            "an empty history supplied, `requireHistory`", [], policy: requiring, .never,
            introductory: .eligible(.newCustomer), promotional: .ineligible(.neverSubscribed)),
        DecisionRow(
            "consumables and the like only",
            [Chain("c1").bought(.consumable, "a consumable"), Chain("c2").bought(.nonConsumable, "a non-consumable")],
            .never, introductory: .eligible(.newCustomer), promotional: .ineligible(.neverSubscribed)),
        DecisionRow(
            "non-renewing subscription only", [Chain("c1").bought(.nonRenewingSubscription, "a non-renewing subscription")],
            .never, introductory: .eligible(.newCustomer), promotional: .ineligible(.neverSubscribed)),
        DecisionRow(
            "product without an introductory offer", [], product: "plain", .never,
            introductory: Verdict(.noOffer, .noIntroductoryOffer), promotional: .ineligible(.neverSubscribed)),
        DecisionRow(
            "promotional offer that the catalogue does not have", [Chain("o1").periods(5...6)], offer: "gone",
            .active, of: "monthly",
            introductory: .ineligible(.currentSubscriber, by: "o1-6"),
            promotional: Verdict(.noOffer, .noPromotionalOffer)),
    ]
}
