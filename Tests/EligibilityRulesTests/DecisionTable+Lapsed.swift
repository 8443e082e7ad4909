import EligibilityRules

extension DecisionTable {
    static let lapsed = [
        DecisionRow(
            "lapsed, no introductory offer used", [Chain("o1").periods(1...2)], .expired, of: "monthly",
            introductory: .eligible(.lapsedWithoutIntroductoryOffer, by: "o1-2"),
            promotional: .eligible(.lapsedSubscriber, by: "o1-2")),
        DecisionRow(
            "lapsed, free trial used", [Chain("o1").trial(1).period(2)], .expired, of: "monthly",
            introductory: .ineligible(.introductoryOfferUsed, by: "o1"),
            promotional: .eligible(.lapsedSubscriber, by: "o1-2")),
        DecisionRow(
            "lapsed after the free trial", [Chain("o1").trial(1)], .expired, of: "monthly",
            introductory: .ineligible(.introductoryOfferUsed, by: "o1"),
            promotional: .eligible(.lapsedSubscriber, by: "o1")),
        DecisionRow(
            "lapsed, paid introductory offer used", [Chain("o1").paidIntroduction(1).period(2)], .expired, of: "monthly",
            introductory: .ineligible(.introductoryOfferUsed, by: "o1"),
            promotional: .eligible(.lapsedSubscriber, by: "o1-2")),
        DecisionRow(
            "lapsed, introductory offer used on coming back", [Chain("o1").period(1).trial(2).period(3)],
            .expired, of: "monthly",
            introductory: .ineligible(.introductoryOfferUsed, by: "o1-2"),
            promotional: .eligible(.lapsedSubscriber, by: "o1-3")),
        DecisionRow(
            "lapsed, introductory offer used for another product of the group",
            [Chain("o1").trial(1, "premium").period(2, "premium")], .expired, of: "premium",
            introductory: .ineligible(.introductoryOfferUsed, by: "o1"),
            promotional: .eligible(.lapsedSubscriber, by: "o1-2")),
        DecisionRow(
            "lapsed, promotional offer used", [Chain("o1").period(1).redeemed(.promotional, "half", 2)],
            .expired, of: "monthly",
            introductory: .eligible(.lapsedWithoutIntroductoryOffer, by: "o1-2"),
            promotional: .eligible(.lapsedSubscriber, by: "o1-2")),
        DecisionRow(
            "lapsed, offer code redeemed", [Chain("o1").redeemed(.offerCode, "SPRING", 1).period(2)],
            .expired, of: "monthly",
            introductory: .eligible(.lapsedWithoutIntroductoryOffer, by: "o1-2"),
            promotional: .eligible(.lapsedSubscriber, by: "o1-2")),
        DecisionRow(
            "lapsed, win-back offers named", [Chain("o1").trial(1).period(2).winBackOffers(["back50", "back20"], in: 4)],
            .expired, of: "monthly",
            introductory: .ineligible(.introductoryOfferUsed, by: "o1"),
            promotional: .eligible(.lapsedSubscriber, by: "o1-2"), winBackOffers: ["back50", "back20"]),
        DecisionRow(
            "came back after win-back offers were named, and left again",
            [Chain("o1").trial(1).winBackOffers(["back50"], in: 2).period(3)], .expired, of: "monthly",
            introductory: .ineligible(.introductoryOfferUsed, by: "o1"),
            promotional: .eligible(.lapsedSubscriber, by: "o1-3")),
        DecisionRow(
            "win-back offers named, and none in a later statement",
            [Chain("o1").trial(1).winBackOffers(["back50"], in: 3).winBackOffers([], in: 5)], .expired, of: "monthly",
            introductory: .ineligible(.introductoryOfferUsed, by: "o1"),
            promotional: .eligible(.lapsedSubscriber, by: "o1")),
        DecisionRow(
            "lapsed days ago, cancelled before",
            [Chain("o1").periods(4...5).renewal(RenewalState(willRenew: false), in: 5, "renewal switched off in 5")],
            .expired, of: "monthly",
            introductory: .eligible(.lapsedWithoutIntroductoryOffer, by: "o1-5"),
            promotional: .eligible(.lapsedSubscriber, by: "o1-5")),
        DecisionRow(
            "lapsed days ago, and said so since",
            [Chain("o1").periods(4...5).renewal(RenewalState(willRenew: true, isInBillingRetry: false), in: 6, "a word in 6")],
            .expired, of: "monthly",
            introductory: .eligible(.lapsedWithoutIntroductoryOffer, by: "o1-5"),
            promotional: .eligible(.lapsedSubscriber, by: "o1-5")),
        DecisionRow(
            "subscribed in another group only", [Chain("n1").trial(5, "news").period(6, "news")], .never,
            introductory: .eligible(.newToSubscriptionGroup), promotional: .eligible(.activeSubscriber, by: "n1-6")),
        DecisionRow(
            "lapsed here, subscribed in another group",
            [Chain("n1").year(1).inGroup("other"), Chain("o1").periods(2...3)], .expired, of: "monthly",
            introductory: .eligible(.lapsedWithoutIntroductoryOffer, by: "o1-3"),
            promotional: .eligible(.activeSubscriber, by: "n1")),
    ]
}
