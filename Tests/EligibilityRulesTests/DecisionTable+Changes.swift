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
            "changed from a year, which is never shown as ended, and lapsed within it",
            [Chain("o1").year(1).crossgraded(to: "premium", in: 2).winBackOffers(["back50"], in: 4)],
            .expired, of: "premium",
            introductory: .eligible(.lapsedWithoutIntroductoryOffer, by: "o1-2b"),
            promotional: .eligible(.lapsedSubscriber, by: "o1-2b"), winBackOffers: ["back50"]),
        DecisionRow(
            "the same in a subscription of its own, of the same Apple account",
            [
                Chain("o1").year(1).inGroup("main").ofAccount("a1"),
                Chain("o2").period(2, "premium").inGroup("main").ofAccount("a1"),
            ],
            .expired, of: "premium",
            introductory: .eligible(.lapsedWithoutIntroductoryOffer, by: "o2"),
            promotional: .eligible(.lapsedSubscriber, by: "o2")),
        DecisionRow(
            "the same of another Apple account",
            [
                Chain("o1").year(1).inGroup("main").ofAccount("a1"),
                Chain("o2").period(2, "premium").inGroup("main").ofAccount("a2"),
            ],
            .active, of: "yearly",
            introductory: .ineligible(.currentSubscriber, by: "o1"),
            promotional: .eligible(.activeSubscriber, by: "o1")),
        DecisionRow(
            "moved to a bundle of another group, which has lapsed",
            [Chain("o1").year(1), Chain("n1").period(2, "news").inPlace(of: "o1")], .expired, of: "yearly",
            introductory: .eligible(.lapsedWithoutIntroductoryOffer, by: "o1"),
            promotional: .eligible(.lapsedSubscriber, by: "n1")),
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
            "a seat that another person paid for", [Chain("s1").trial(5).period(6).assigned], policy: countingShared,
            .active, of: "monthly",
            introductory: .eligible(.newCustomer, .assignedSeatNotCounted),
            promotional: .ineligible(.assignedSeatOnly, by: "s1-6")),
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
