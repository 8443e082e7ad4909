import EligibilityRules

extension DecisionTable {
    private static let graceRunning = RenewalState(
        willRenew: true, isInBillingRetry: true, gracePeriodExpiresAt: Month.start(6, day: 16))
    private static let graceOver = RenewalState(
        willRenew: true, isInBillingRetry: true, gracePeriodExpiresAt: Month.start(6, day: 6))
    private static let retry = RenewalState(willRenew: true, isInBillingRetry: true)

    static let current = [
        DecisionRow(
            "active, no introductory offer used", [Chain("o1").periods(4...6)], .active, of: "monthly",
            introductory: .ineligible(.currentSubscriber, by: "o1-6"),
            promotional: .eligible(.activeSubscriber, by: "o1-6")),
        DecisionRow(
            "active in the free trial", [Chain("o1").trial(6)], .active, of: "monthly",
            introductory: .ineligible(.introductoryOfferUsed, .currentSubscriber, by: "o1"),
            promotional: .eligible(.activeSubscriber, by: "o1")),
        DecisionRow(
            "active, will not renew",
            [Chain("o1").periods(5...6).renewal(RenewalState(willRenew: false), in: 6, "renewal switched off")],
            .active, of: "monthly",
            introductory: .ineligible(.currentSubscriber, by: "o1-6"),
            promotional: .eligible(.activeSubscriber, by: "o1-6")),
        DecisionRow(
            "grace period", [Chain("o1").periods(4...5).renewal(graceRunning, in: 6, "grace until day 16 of 6")],
            .gracePeriod, of: "monthly",
            introductory: .ineligible(.currentSubscriber, by: "o1-5"),
            promotional: .eligible(.subscriberInGracePeriod, by: "o1-5")),
        DecisionRow(
            "grace period over, billing retry",
            [Chain("o1").periods(4...5).renewal(graceOver, in: 6, "grace until day 6 of 6, billing retry")],
            .billingRetry, of: "monthly",
            introductory: .ineligible(.currentSubscriber, by: "o1-5"),
            promotional: .eligible(.subscriberInBillingRetry, by: "o1-5")),
        DecisionRow(
            "billing retry", [Chain("o1").trial(4).period(5).renewal(retry, in: 6, "billing retry")],
            .billingRetry, of: "monthly",
            introductory: .ineligible(.introductoryOfferUsed, .currentSubscriber, by: "o1"),
            promotional: .eligible(.subscriberInBillingRetry, by: "o1-5")),
        DecisionRow(
            "billing retry for more than 60 days", [Chain("o1").periods(2...3).renewal(retry, in: 4, "billing retry")],
            .expired, of: "monthly",
            introductory: .eligible(.lapsedWithoutIntroductoryOffer, by: "o1-3"),
            promotional: .eligible(.lapsedSubscriber, by: "o1-3")),
        DecisionRow(
            "promotional offer running", [Chain("o1").period(5).redeemed(.promotional, "half", 6)], .active, of: "monthly",
            introductory: .ineligible(.currentSubscriber, by: "o1-6"),
            promotional: .eligible(.activeSubscriber, by: "o1-6")),
        DecisionRow(
            "offer code running", [Chain("o1").redeemed(.offerCode, "SPRING", 6)], .active, of: "monthly",
            introductory: .ineligible(.currentSubscriber, by: "o1"),
            promotional: .eligible(.activeSubscriber, by: "o1")),
        DecisionRow(
            "came back with a win-back offer",
            [Chain("o1").trial(1).winBackOffers(["back50"], in: 3).redeemed(.winBack, "back50", 6)], .active, of: "monthly",
            introductory: .ineligible(.introductoryOfferUsed, .currentSubscriber, by: "o1"),
            promotional: .eligible(.activeSubscriber, by: "o1-6")),
        DecisionRow(
            "win-back offers named, and still active",
            [Chain("o1").periods(5...6).winBackOffers(["back50"], in: 6)], .active, of: "monthly",
            introductory: .ineligible(.currentSubscriber, by: "o1-6"),
            promotional: .eligible(.activeSubscriber, by: "o1-6")),
        DecisionRow(
            "the next period is shown already", [Chain("o1").periods(5...7)], .active, of: "monthly",
            introductory: .ineligible(.currentSubscriber, by: "o1-6"),
            promotional: .eligible(.activeSubscriber, by: "o1-6")),
    ]

    static let refunds = [
        DecisionRow(
            "introductory period refunded", [Chain("o1").trial(6).refunded(in: 6)], .revoked, of: "monthly",
            introductory: .ineligible(.introductoryOfferUsed, by: "o1"),
            promotional: .eligible(.revokedSubscriber, by: "o1")),
        DecisionRow(
            "the only period refunded", [Chain("o1").period(6).refunded(in: 6)], .revoked, of: "monthly",
            introductory: .eligible(.lapsedWithoutIntroductoryOffer, by: "o1"),
            promotional: .eligible(.revokedSubscriber, by: "o1")),
        DecisionRow(
            "the last period refunded", [Chain("o1").periods(4...6).refunded(in: 6)], .revoked, of: "monthly",
            introductory: .eligible(.lapsedWithoutIntroductoryOffer, by: "o1-6"),
            promotional: .eligible(.revokedSubscriber, by: "o1-6")),
        DecisionRow(
            "refund reversed", [Chain("o1").periods(5...6).refunded(in: 6).refundReversed(in: 6)], .active, of: "monthly",
            introductory: .ineligible(.currentSubscriber, by: "o1-6"),
            promotional: .eligible(.activeSubscriber, by: "o1-6")),
        DecisionRow(
            "refunded, subscribed again since", [Chain("o1").trial(1).refunded(in: 1).period(6)], .active, of: "monthly",
            introductory: .ineligible(.introductoryOfferUsed, .currentSubscriber, by: "o1"),
            promotional: .eligible(.activeSubscriber, by: "o1-6")),
    ]
}
