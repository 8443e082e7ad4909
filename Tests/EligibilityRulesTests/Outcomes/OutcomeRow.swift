import EligibilityRules

/// One customer exposed on the sixth day of month 4, with a window of 14 days, as known in the middle of month 6.
struct OutcomeRow: Sendable, CustomStringConvertible {
    static let exposedAt = Month.start(4, day: 5)
    static let windowEnd = Month.start(4, day: 19)
    static let half = CampaignVariant.Offer(productID: "monthly", offerID: "half")

    let story: String
    let metric: CampaignGoal.Metric
    let chains: [Chain]
    /// `no`, `refunded`, or the day of month 4 on which the goal was reached.
    let expected: String
    var isRedeemed = false

    init(_ story: String, _ metric: CampaignGoal.Metric, _ chains: Chain..., gives expected: String, redeemed: Bool = false) {
        (self.story, self.metric, self.chains, self.expected, isRedeemed) = (story, metric, chains, expected, redeemed)
    }

    var description: String { "\(metric.rawValue): \(story)" }

    func outcome(_ policy: EligibilityPolicy = EligibilityPolicy(), now: Instant = Month.now) -> UnitOutcome {
        ConversionRule(CampaignGoal(metric: metric), policy, catalogue: Shop.catalogue).outcome(
            of: PurchaseHistory(chains.map(\.purchases)), exposedAt: Self.exposedAt, offers: [Self.half], now: now)
    }
}

extension UnitOutcome {
    /// As a row has it.
    var words: String {
        if isRefunded { return "refunded" }
        guard let convertedAt else { return "no" }
        return "\(convertedAt.milliseconds(since: Month.start(4)) / Month.day)"
    }
}

extension OutcomeRow {
    private static let halfOff = RedeemedOffer(kind: .promotional, id: "half")
    /// Ended long before the exposure.
    private static let lapsed = Chain("o1").period(1)
    /// Runs from day 10 of month 3 to day 10 of month 4.
    private static let running = Chain("o1").adding(3, "monthly", from: 10)

    static let subscribed = [
        OutcomeRow("nothing is known", .subscribed, gives: "no"),
        OutcomeRow("lapsed and stays away", .subscribed, lapsed, gives: "no"),
        OutcomeRow("lapsed and comes back", .subscribed, lapsed.adding(4, "monthly", from: 10), gives: "10"),
        OutcomeRow(
            "lapsed and comes back with the offer", .subscribed, lapsed.adding(4, "monthly", halfOff, from: 10), gives: "10",
            redeemed: true),
        OutcomeRow("comes back in another group", .subscribed, lapsed, Chain("o2").adding(4, "news", from: 7), gives: "7"),
        OutcomeRow(
            "begins a free trial", .subscribed, Chain("o1").adding(4, "monthly", .init(kind: .introductory), from: 8), gives: "8"),
        OutcomeRow("renews what runs", .subscribed, running.adding(4, "monthly", from: 10), gives: "10"),
        OutcomeRow(
            "renews what runs with the offer", .subscribed, running.adding(4, "monthly", halfOff, from: 10), gives: "10",
            redeemed: true),
        OutcomeRow("lets what runs end", .subscribed, running, gives: "no"),
        OutcomeRow("began before the exposure", .subscribed, Chain("o1").adding(4, "monthly", from: 4), gives: "no"),
        OutcomeRow("began at the exposure", .subscribed, Chain("o1").adding(4, "monthly", from: 5), gives: "no"),
        OutcomeRow("begins as the window ends", .subscribed, Chain("o1").adding(4, "monthly", from: 19), gives: "no"),
        OutcomeRow("begins on the last day", .subscribed, Chain("o1").adding(4, "monthly", from: 18), gives: "18"),
        OutcomeRow("is refunded", .subscribed, Chain("o1").adding(4, "monthly", from: 10).refunded(in: 5), gives: "refunded"),
        OutcomeRow(
            "is refunded after the last look", .subscribed, Chain("o1").adding(4, "monthly", from: 10).refunded(in: 7),
            gives: "10"),
        OutcomeRow(
            "is refunded and gets it back", .subscribed,
            Chain("o1").adding(4, "monthly", from: 10).refunded(in: 5).refundReversed(in: 5), gives: "10"),
        OutcomeRow(
            "is refunded and buys again", .subscribed,
            Chain("o1").adding(4, "monthly", from: 10).refunded(in: 5).adding(4, "yearly", from: 12), gives: "12"),
        OutcomeRow("is upgraded", .subscribed, Chain("o1").adding(4, "monthly", from: 7).upgradedUnseen(in: 4), gives: "7"),
        OutcomeRow("is in the family of who buys", .subscribed, Chain("o1").adding(4, "monthly", from: 10).shared, gives: "no"),
        OutcomeRow("gets a seat", .subscribed, Chain("o1").adding(4, "monthly", from: 10).assigned, gives: "no"),
        OutcomeRow("buys in the sandbox", .subscribed, Chain("o1").adding(4, "monthly", from: 10).sandbox, gives: "no"),
        OutcomeRow("buys no subscription", .subscribed, Chain("o1").bought(.nonConsumable, "an item"), gives: "no"),
    ]

    static let retained = [
        OutcomeRow("nothing is known", .retained, gives: "no"),
        OutcomeRow("runs all the time", .retained, Chain("o1").period(4), gives: "19"),
        OutcomeRow("is renewed", .retained, running.adding(4, "monthly", from: 10), gives: "19"),
        OutcomeRow("lets it end", .retained, running, gives: "no"),
        OutcomeRow("comes back too late", .retained, running.adding(4, "monthly", from: 20), gives: "no"),
        OutcomeRow("runs and is refunded", .retained, Chain("o1").period(4).refunded(in: 5), gives: "refunded"),
        OutcomeRow(
            "was refunded before", .retained,
            Chain("o1").period(4).changingLast {
                $0.revocation = Stamped(.revoked(at: Month.start(4, day: 3)), Chain.stamp(4, 3))
            }, gives: "no"),
        OutcomeRow(
            "is in the grace period", .retained,
            running.renewal(
                RenewalState(willRenew: true, isInBillingRetry: true, gracePeriodExpiresAt: Month.start(4, day: 26)), in: 5,
                "grace period"), gives: "no"),
        OutcomeRow("is upgraded", .retained, Chain("o1").period(4).upgraded(to: "premium", in: 4), gives: "19"),
        OutcomeRow(
            "is upgraded, and that is refunded", .retained, Chain("o1").year(3).upgraded(to: "premium", in: 4).refunded(in: 5),
            gives: "refunded"),
        OutcomeRow(
            "has another one", .retained, Chain("o1").period(4).refunded(in: 5), Chain("o2").adding(4, "news"), gives: "19"),
        OutcomeRow("is in the family of who pays", .retained, Chain("o1").period(4).shared, gives: "no"),
        OutcomeRow(
            "left one for another of the same account and group, which ended", .retained,
            Chain("o1").year(3).merging(groupID: Shop.group).ofAccount("a"),
            Chain("o2").adding(4, "monthly", from: 6, days: 7).merging(groupID: Shop.group).ofAccount("a"), gives: "no"),
        OutcomeRow(
            "left one for another of the same account and group, which runs", .retained,
            Chain("o1").adding(4, "monthly", from: 0, days: 7).merging(groupID: Shop.group).ofAccount("a"),
            Chain("o2").adding(4, "monthly", from: 6).merging(groupID: Shop.group).ofAccount("a"), gives: "19"),
        OutcomeRow(
            "has one of another account", .retained, Chain("o1").year(3).merging(groupID: Shop.group).ofAccount("a"),
            Chain("o2").adding(4, "monthly", from: 6, days: 7).merging(groupID: Shop.group).ofAccount("b"), gives: "19"),
        OutcomeRow(
            "was refunded within the window", .retained,
            Chain("o1").period(4).changingLast {
                $0.revocation = Stamped(.revoked(at: Month.start(4, day: 12)), Chain.stamp(4, 12))
            }, gives: "refunded"),
    ]

    static let convertedToPaid = [
        OutcomeRow("nothing is known", .convertedToPaid, gives: "no"),
        OutcomeRow("pays at once", .convertedToPaid, Chain("o1").adding(4, "monthly", from: 10).priced(9990), gives: "10"),
        OutcomeRow("pays an unknown price", .convertedToPaid, Chain("o1").adding(4, "monthly", from: 10), gives: "10"),
        OutcomeRow(
            "begins a free trial", .convertedToPaid,
            Chain("o1").adding(4, "monthly", .init(kind: .introductory), from: 8).priced(0), gives: "no"),
        OutcomeRow(
            "begins an introductory period of which only the catalogue knows that it is free", .convertedToPaid,
            Chain("o1").adding(4, "monthly", .init(kind: .introductory), from: 8), gives: "no"),
        OutcomeRow(
            "begins a paid introductory period", .convertedToPaid,
            Chain("o1").adding(4, "monthly", .init(kind: .introductory), from: 8).priced(990), gives: "8"),
        OutcomeRow(
            "pays after the trial", .convertedToPaid,
            Chain("o1").adding(4, "monthly", .init(kind: .introductory), from: 6, days: 7).priced(0)
                .adding(4, "monthly", from: 13).priced(9990), gives: "13"),
        OutcomeRow(
            "had the trial before and pays now", .convertedToPaid,
            Chain("o1").adding(4, "monthly", .init(kind: .introductory), from: 1, days: 7).priced(0)
                .adding(4, "monthly", from: 8).priced(9990), gives: "8"),
        OutcomeRow(
            "pays after the trial, and it is refunded", .convertedToPaid,
            Chain("o1").adding(4, "monthly", .init(kind: .introductory), from: 6, days: 7).priced(0)
                .adding(4, "monthly", from: 13).priced(9990).refunded(in: 5), gives: "refunded"),
        OutcomeRow("gets a seat", .convertedToPaid, Chain("o1").adding(4, "monthly", from: 10).assigned, gives: "no"),
    ]

    static let redeemed = [
        OutcomeRow("comes back at full price", .redeemed, lapsed.adding(4, "monthly", from: 10), gives: "no"),
        OutcomeRow("redeems it", .redeemed, lapsed.adding(4, "monthly", halfOff, from: 10), gives: "10", redeemed: true),
        OutcomeRow(
            "redeems another offer", .redeemed,
            lapsed.adding(4, "monthly", RedeemedOffer(kind: .promotional, id: "third"), from: 10), gives: "no"),
        OutcomeRow(
            "redeems one of its name for another product", .redeemed, lapsed.adding(4, "sports", halfOff, from: 10), gives: "no"),
        OutcomeRow(
            "redeems an offer code of its name", .redeemed,
            lapsed.adding(4, "monthly", RedeemedOffer(kind: .offerCode, id: "half"), from: 10), gives: "no"),
        OutcomeRow(
            "pays the second of three instalments", .redeemed,
            Chain("o1").adding(3, "monthly", halfOff, from: 10).adding(4, "monthly", halfOff, from: 10), gives: "no"),
        OutcomeRow(
            "redeems it and is refunded", .redeemed, lapsed.adding(4, "monthly", halfOff, from: 10).refunded(in: 5),
            gives: "refunded", redeemed: true),
        OutcomeRow("redeems it too late", .redeemed, lapsed.adding(4, "monthly", halfOff, from: 20), gives: "no"),
    ]
}
