import EligibilityRules

extension DecisionTable {
    static let unrecognised = [
        DecisionRow(
            "retention offer running", [Chain("o1").period(5).redeemed(.retention, "stay", 6)], .active, of: "monthly",
            introductory: .ineligible(.currentSubscriber, by: "o1-6"),
            promotional: .eligible(.activeSubscriber, by: "o1-6")),
        DecisionRow(
            "lapsed, an offer of an unknown type", [Chain("o1").redeemed(.unrecognised, "new", 1).period(2)],
            .expired, of: "monthly",
            introductory: .unknown(.unrecognisedValue, by: "o1"),
            promotional: .eligible(.lapsedSubscriber, by: "o1-2")),
        DecisionRow(
            "the same, and a free trial used", [Chain("o1").redeemed(.unrecognised, "new", 1).trial(2)],
            .expired, of: "monthly",
            introductory: .ineligible(.introductoryOfferUsed, by: "o1-2"),
            promotional: .eligible(.lapsedSubscriber, by: "o1-2")),
        DecisionRow(
            "an offer of an unknown type, in another group", [Chain("n1").redeemed(.unrecognised, "new", 1, "news")],
            .never,
            introductory: .eligible(.newToSubscriptionGroup), promotional: .eligible(.lapsedSubscriber, by: "n1")),
        DecisionRow(
            "owned in an unknown way", [Chain("o1").trial(5).period(6).strangelyOwned], .active, of: "monthly",
            introductory: .unknown(.unrecognisedValue, by: "o1"),
            promotional: .unknown(.unrecognisedValue, by: "o1")),
        DecisionRow(
            "of an unknown product type", [Chain("o1").period(6).ofUnknownType], .never,
            introductory: .unknown(.unrecognisedValue, by: "o1"),
            promotional: .unknown(.unrecognisedValue, by: "o1")),
        DecisionRow(
            "in an unknown environment", [Chain("o1").period(6).inUnknownEnvironment], .never,
            introductory: .unknown(.unrecognisedValue, by: "o1"),
            promotional: .unknown(.unrecognisedValue, by: "o1")),
    ]
}
