import EligibilityRules

/// Who may have which offer, row by row: the source of the tests and of the table in docs/eligibility.md.
enum DecisionTable {
    static let sections: [(title: String, rows: [DecisionRow])] = [
        ("Nothing bought", newcomers),
        ("Subscribed before", lapsed),
        ("Subscribed now", current),
        ("Refunds", refunds),
        ("Changes of product", changes),
        ("What others pay for", families),
        ("What the Apple account bought for another customer of the app", accounts),
        ("What the history does not show", gaps),
        ("Doubtful facts", doubts),
        ("Unknown values", unrecognised),
    ]

    static let rows = sections.flatMap(\.rows)

    private static let requiring = EligibilityPolicy(requiresHistory: true)

    private static let newcomers = [
        DecisionRow(
            "new customer", [], completeness: .none, .never,
            introductory: .eligible(.newCustomer), promotional: .ineligible(.neverSubscribed)),
        DecisionRow(
            "nothing ever supplied, `requireHistory`", [], completeness: .none, policy: requiring, .never,
            introductory: .unknown(.noHistory), promotional: .unknown(.noHistory)),
        DecisionRow(
            "only a part supplied, `requireHistory`", [], policy: requiring, .never,
            introductory: .unknown(.incompleteHistory), promotional: .unknown(.incompleteHistory)),
        DecisionRow(
            "a consumable only, `requireHistory`", [Chain("c1").bought(.consumable, "a consumable")], completeness: .none,
            policy: requiring, .never,
            introductory: .unknown(.incompleteHistory), promotional: .unknown(.incompleteHistory)),
        DecisionRow(
            "the whole account shown, and empty, `requireHistory`", [], completeness: .complete, policy: requiring, .never,
            introductory: .eligible(.newCustomer), promotional: .ineligible(.neverSubscribed)),
        DecisionRow(
            "lapsed, `requireHistory`", [Chain("o1").periods(1...2)], policy: requiring, .expired, of: "monthly",
            introductory: .unknown(.incompleteHistory), promotional: .eligible(.lapsedSubscriber, by: "o1-2")),
        DecisionRow(
            "lapsed, the whole account shown, `requireHistory`", [Chain("o1").periods(1...2)], completeness: .complete,
            policy: requiring, .expired, of: "monthly",
            introductory: .eligible(.lapsedWithoutIntroductoryOffer, by: "o1-2"),
            promotional: .eligible(.lapsedSubscriber, by: "o1-2")),
        DecisionRow(
            "lapsed, free trial used, `requireHistory`", [Chain("o1").trial(1)], policy: requiring, .expired, of: "monthly",
            introductory: .ineligible(.introductoryOfferUsed, by: "o1"),
            promotional: .eligible(.lapsedSubscriber, by: "o1")),
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
