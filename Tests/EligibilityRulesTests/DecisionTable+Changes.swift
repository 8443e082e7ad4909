import EligibilityRules

extension DecisionTable {
    private static let downgrade = RenewalState(willRenew: true, nextProductID: "sports")
    private static let countingShared = EligibilityPolicy(familySharedCountsAsOwn: true)

    static let changes = [
        DecisionRow(
            "upgraded; the old period is shown as cancelled", [Chain("o1").periods(5...6).upgraded(to: "premium", in: 6)],
            .active, of: "premium",
            introductory: .ineligible(.currentSubscriber, by: "o1-6b"),
            promotional: .eligible(.activeSubscriber, by: "o1-6b")),
        DecisionRow(
            "upgraded; the new period is not shown", [Chain("o1").periods(5...6).upgradedUnseen(in: 6)],
            .active, of: "monthly",
            introductory: .ineligible(.currentSubscriber, by: "o1-6"),
            promotional: .eligible(.activeSubscriber, by: "o1-6")),
        DecisionRow(
            "upgraded from a year, and lapsed within it", [Chain("o1").year(1).upgraded(to: "premium", in: 2)],
            .expired, of: "premium",
            introductory: .eligible(.lapsedWithoutIntroductoryOffer, by: "o1-2b"),
            promotional: .eligible(.lapsedSubscriber, by: "o1-2b")),
        DecisionRow(
            "upgraded from a year, and the upgrade refunded",
            [Chain("o1").year(1).upgraded(to: "premium", in: 5).refunded(in: 6)], .revoked, of: "premium",
            introductory: .eligible(.lapsedWithoutIntroductoryOffer, by: "o1-5b"),
            promotional: .eligible(.revokedSubscriber, by: "o1-5b")),
        DecisionRow(
            "downgrade at the next renewal",
            [Chain("o1").period(5, "premium").period(6, "premium").renewal(downgrade, in: 6, "renews to `sports`")],
            .active, of: "premium",
            introductory: .ineligible(.currentSubscriber, by: "o1-6"),
            promotional: .eligible(.activeSubscriber, by: "o1-6")),
        DecisionRow(
            "crossgraded", [Chain("o1").periods(5...6).crossgraded(to: "sports", in: 6)], .active, of: "sports",
            introductory: .ineligible(.currentSubscriber, by: "o1-6b"),
            promotional: .eligible(.activeSubscriber, by: "o1-6b")),
        DecisionRow(
            "lapsed, then another product of the group", [Chain("o1").trial(1).period(2).period(6, "premium")],
            .active, of: "premium",
            introductory: .ineligible(.introductoryOfferUsed, .currentSubscriber, by: "o1"),
            promotional: .eligible(.activeSubscriber, by: "o1-6")),
    ]

    static let families = [
        DecisionRow(
            "shared by the family", [Chain("f1").trial(5).period(6).shared], .active, of: "monthly",
            introductory: .eligible(.newCustomer, .familySharedNotCounted),
            promotional: .ineligible(.familySharedOnly, by: "f1-6")),
        DecisionRow(
            "shared by the family, `familySharedCountsAsOwn`", [Chain("f1").trial(5).period(6).shared],
            policy: countingShared, .active, of: "monthly",
            introductory: .ineligible(.introductoryOfferUsed, .currentSubscriber, by: "f1"),
            promotional: .ineligible(.familySharedOnly, by: "f1-6")),
        DecisionRow(
            "sharing has ended", [Chain("f1").periods(5...6).shared.refunded(in: 6)], .revoked, of: "monthly",
            introductory: .eligible(.newCustomer, .familySharedNotCounted),
            promotional: .ineligible(.familySharedOnly, by: "f1-6")),
        DecisionRow(
            "shared by the family, and lapsed", [Chain("f1").trial(5).period(6).shared, Chain("o1").periods(1...2)],
            .active, of: "monthly",
            introductory: .eligible(.lapsedWithoutIntroductoryOffer, .familySharedNotCounted, by: "o1-2"),
            promotional: .eligible(.lapsedSubscriber, by: "o1-2")),
        DecisionRow(
            "shared by the family, and introductory offer used", [Chain("f1").period(6).shared, Chain("o1").trial(1)],
            .active, of: "monthly",
            introductory: .ineligible(.introductoryOfferUsed, .familySharedNotCounted, by: "o1"),
            promotional: .eligible(.lapsedSubscriber, by: "o1")),
    ]
}
