import EligibilityRules

extension DecisionTable {
    private static let inSandbox = EligibilityPolicy(environment: .sandbox)
    private static let inXcode = EligibilityPolicy(environment: .local, knowsPurchases: false)

    static let gaps = [
        DecisionRow(
            "lapsed, beginning not shown", [Chain("o1").cut.periods(2...3)], .expired, of: "monthly",
            introductory: .unknown(.incompleteHistory, by: "o1-2"),
            promotional: .eligible(.lapsedSubscriber, by: "o1-3")),
        DecisionRow(
            "lapsed, beginning not shown, introductory period shown", [Chain("o1").cut.trial(2).period(3)],
            .expired, of: "monthly",
            introductory: .ineligible(.introductoryOfferUsed, by: "o1-2"),
            promotional: .eligible(.lapsedSubscriber, by: "o1-3")),
        DecisionRow(
            "active, beginning not shown", [Chain("o1").cut.periods(5...6)], .active, of: "monthly",
            introductory: .ineligible(.currentSubscriber, by: "o1-6"),
            promotional: .eligible(.activeSubscriber, by: "o1-6")),
        DecisionRow(
            "lapsed, all of it listed by a source", [Chain("o1").cut.periods(2...3).listedFromStart], .expired, of: "monthly",
            introductory: .eligible(.lapsedWithoutIntroductoryOffer, by: "o1-3"),
            promotional: .eligible(.lapsedSubscriber, by: "o1-3")),
        DecisionRow(
            "beginning not shown, in another group", [Chain("n1").cut.period(3, "news")], .never,
            introductory: .eligible(.newToSubscriptionGroup), promotional: .eligible(.lapsedSubscriber, by: "n1-3")),
        DecisionRow(
            "unknown product, group not named", [Chain("x1").period(1, "legacy")], .never,
            introductory: .unknown(.unknownProduct, by: "x1"), promotional: .eligible(.lapsedSubscriber, by: "x1")),
        DecisionRow(
            "unknown product, group not named, and active",
            [Chain("o1").periods(5...6), Chain("x1").period(1, "legacy")], .active, of: "monthly",
            introductory: .ineligible(.currentSubscriber, by: "o1-6"),
            promotional: .eligible(.activeSubscriber, by: "o1-6")),
        DecisionRow(
            "unknown product, group named", [Chain("x1").period(1, "legacy").inGroup("main")], .expired, of: "legacy",
            introductory: .eligible(.lapsedWithoutIntroductoryOffer, by: "x1"),
            promotional: .eligible(.lapsedSubscriber, by: "x1")),
        DecisionRow(
            "unknown product, group named, free trial used", [Chain("x1").trial(1, "legacy").inGroup("main")],
            .expired, of: "legacy",
            introductory: .ineligible(.introductoryOfferUsed, by: "x1"),
            promotional: .eligible(.lapsedSubscriber, by: "x1")),
    ]

    static let doubts = [
        DecisionRow(
            "sandbox, free trial used", [Chain("o1").trial(1).period(2).sandbox], policy: inSandbox, .expired, of: "monthly",
            introductory: .ineligible(.introductoryOfferUsed, .sandboxHistory, by: "o1"),
            promotional: .eligible(.lapsedSubscriber, by: "o1-2")),
        DecisionRow(
            "bought in the sandbox of a Production app", [Chain("o1").trial(5).period(6).sandbox], .never,
            introductory: .eligible(.newCustomer), promotional: .ineligible(.neverSubscribed)),
        DecisionRow(
            "bought in Production, of an app in the sandbox", [Chain("o1").trial(5).period(6)], policy: inSandbox, .never,
            introductory: .eligible(.newCustomer), promotional: .ineligible(.neverSubscribed)),
        DecisionRow(
            "a customer in StoreKit Testing in Xcode", [], policy: inXcode, .never,
            introductory: .unknown(.purchasesInXcode), promotional: .unknown(.purchasesInXcode)),
        DecisionRow(
            "run out, and nothing is known of the renewal", [Chain("o1").periods(4...5)], .expired, of: "monthly",
            introductory: .unknown(.renewalUnconfirmed, by: "o1-5"),
            promotional: .eligible(.lapsedSubscriber, .renewalUnconfirmed, by: "o1-5")),
        DecisionRow(
            "run out more than 60 days ago, although it was to renew",
            [Chain("o1").periods(2...3).renewal(RenewalState(willRenew: true), in: 3, "set to renew in 3")],
            .expired, of: "monthly",
            introductory: .eligible(.lapsedWithoutIntroductoryOffer, by: "o1-3"),
            promotional: .eligible(.lapsedSubscriber, by: "o1-3")),
        DecisionRow(
            "run out, of two subscriptions one refunded since",
            [Chain("o1").periods(4...5), Chain("o2").period(6).refunded(in: 6)], .revoked, of: "monthly",
            introductory: .unknown(.renewalUnconfirmed, by: "o2"),
            promotional: .eligible(.revokedSubscriber, .renewalUnconfirmed, by: "o2")),
        DecisionRow(
            "the catalogue has the product in another group", [Chain("o1").periods(5...6)],
            seenGroups: SeenGroups([ExactText("news"): Shop.group]), product: "news", .active, of: "monthly",
            introductory: .ineligible(.currentSubscriber, .catalogueGroupDiffers, by: "o1-6"),
            promotional: .eligible(.activeSubscriber, by: "o1-6")),
        DecisionRow(
            "run out, although it was to renew",
            [Chain("o1").periods(4...5).renewal(RenewalState(willRenew: true), in: 5, "set to renew in 5")],
            .expired, of: "monthly",
            introductory: .unknown(.renewalUnconfirmed, by: "o1-5"),
            promotional: .eligible(.lapsedSubscriber, .renewalUnconfirmed, by: "o1-5")),
        DecisionRow(
            "the first period begins in the future", [Chain("o1").period(8)], .never,
            introductory: .ineligible(.currentSubscriber, by: "o1"),
            promotional: .eligible(.activeSubscriber, by: "o1")),
        DecisionRow(
            "a free trial begins in the future", [Chain("o1").trial(8)], .never,
            introductory: .ineligible(.introductoryOfferUsed, by: "o1"),
            promotional: .eligible(.activeSubscriber, by: "o1")),
    ]
}
