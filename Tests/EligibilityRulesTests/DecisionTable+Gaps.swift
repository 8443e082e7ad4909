import EligibilityRules

extension DecisionTable {
    static let gaps = [
        DecisionRow(
            "lapsed, beginning not shown", [Chain("o1").cut.periods(3...4)], .expired, of: "monthly",
            introductory: .unknown(.incompleteHistory, by: "o1-3"),
            promotional: .eligible(.lapsedSubscriber, by: "o1-4")),
        DecisionRow(
            "lapsed, beginning not shown, introductory period shown", [Chain("o1").cut.trial(3).period(4)],
            .expired, of: "monthly",
            introductory: .ineligible(.introductoryOfferUsed, by: "o1-3"),
            promotional: .eligible(.lapsedSubscriber, by: "o1-4")),
        DecisionRow(
            "active, beginning not shown", [Chain("o1").cut.periods(5...6)], .active, of: "monthly",
            introductory: .ineligible(.currentSubscriber, by: "o1-6"),
            promotional: .eligible(.activeSubscriber, by: "o1-6")),
        DecisionRow(
            "lapsed, all of it listed by a source", [Chain("o1").cut.periods(3...4).listedFromStart], .expired, of: "monthly",
            introductory: .eligible(.lapsedWithoutIntroductoryOffer, by: "o1-4"),
            promotional: .eligible(.lapsedSubscriber, by: "o1-4")),
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
            "sandbox, free trial used", [Chain("o1").trial(1).period(2).sandbox], .expired, of: "monthly",
            introductory: .ineligible(.introductoryOfferUsed, .sandboxHistory, by: "o1"),
            promotional: .eligible(.lapsedSubscriber, by: "o1-2")),
        DecisionRow(
            "run out, although it was to renew",
            [Chain("o1").periods(4...5).renewal(RenewalState(willRenew: true), in: 5, "set to renew in 5")],
            .expired, of: "monthly",
            introductory: .eligible(.lapsedWithoutIntroductoryOffer, .renewalUnconfirmed, by: "o1-5"),
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
