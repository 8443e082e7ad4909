import EligibilityRules
import Testing

@Suite("Subscription at an instant")
struct SubscriptionStatusTests {
    private static let periods = QueenSubscriber.periods

    @Test(
        "The real subscriber, period by period",
        arguments: [
            (periods[0].begin - 60_001, .never, nil),  // a minute's difference between clocks is allowed for
            (periods[0].begin - 60_000, .active, 0),
            (periods[0].begin, .active, 0),
            (periods[0].end - 60_001, .active, 0),
            (periods[0].end, .active, 1),
            (periods[1].end - 1, .active, 1),
            (periods[1].end, .expired, 1),  // the instant of expiry is expired
            (periods[2].begin - 60_001, .expired, 1),
            (periods[2].begin, .active, 2),
            (1_589_799_000_000, .active, 2),  // 2020-05-18 10:50 UTC
            (periods[5].end - 1, .active, 5),
            (periods[5].end, .expired, 5),
            (1_590_969_600_000, .expired, 5),  // 2020-06-01
        ] as [(Int64, SubscriptionState, Int?)])
    func realSubscriber(now: Int64, state: SubscriptionState, period: Int?) {
        let status = SubscriptionStatus(of: [QueenSubscriber.chain], at: Instant(milliseconds: now))
        #expect(status.state == state)
        #expect(status.transaction?.id == period.map { Self.periods[$0].id })
        #expect(!status.isRenewalUnconfirmed)
        #expect(status.originalTransactionID == period.map { _ in "1000000666265459" })
    }

    @Test("The real subscriber has used an introductory period, and may have promotional offers")
    func realVerdicts() {
        let (product, customer) = QueenSubscriber.customer(at: 1_590_969_600_000)
        #expect(
            IntroductoryOfferRule.verdict(on: product, for: customer)
                == .ineligible(.introductoryOfferUsed, .sandboxHistory, by: "1000000666265459"))
        #expect(PromotionalOfferRule.verdict(for: customer) == .eligible(.lapsedSubscriber, by: "1000000666280122"))
        #expect(customer.subscription(inGroup: QueenSubscriber.group).willRenew == false)
    }

    @Test("An extension counts from the later statement on, whatever came first")
    func extended() {
        let extended = statement(end: 40, of: .signedData, day: 2)
        let plain = statement(end: 30, of: .signedData, day: 1)
        for chain in [extended.merged(with: plain), plain.merged(with: extended)] {
            #expect(state(chain, day: 35) == .active)
            #expect(state(chain, day: 40) == .expired)
        }
        #expect(state(extended.merged(with: statement(end: 30, of: .receipt, day: 3)), day: 35) == .expired)
    }

    @Test("Grace ends at its instant, billing retry 60 days after the period")
    func retry() {
        var chain = statement(end: 30, of: .signedData, day: 0)
        chain.renewal = Stamped(
            RenewalState(willRenew: true, isInBillingRetry: true, gracePeriodExpiresAt: Month.start(1, day: 46)),
            Stamp(asOf: Month.start(1, day: 30), source: .signedData))
        #expect(state(chain, day: 29) == .active)
        #expect(state(chain, day: 30) == .gracePeriod)
        #expect(state(chain, day: 46) == .billingRetry)
        #expect(state(chain, day: 89) == .billingRetry)
        #expect(state(chain, day: 90) == .expired)
    }

    @Test(
        "An active subscription decides before one in the grace period or in billing retry that began later", arguments: [40, 50])
    func activeFirst(day: Int64) {
        func chain(_ id: String, from first: Int64, to last: Int64) -> PurchaseChain {
            PurchaseChain(
                originalID: id,
                transactions: [
                    PurchaseTransaction(
                        id: id, productID: "monthly", purchasedAt: Month.start(1, day: first),
                        state: .init(expiry: Stamped(Month.start(1, day: last), Chain.stamp(1, first))))
                ])
        }
        var failing = chain("2", from: 5, to: 35)
        failing.renewal = Stamped(
            RenewalState(willRenew: true, isInBillingRetry: true, gracePeriodExpiresAt: Month.start(1, day: 45)),
            Chain.stamp(1, 35))
        let running = chain("1", from: 0, to: 360)
        for chains in [[running, failing], [failing, running]] {
            let status = SubscriptionStatus(of: chains, at: Month.start(1, day: day))
            #expect(status.state == .active && status.originalTransactionID == "1")
        }
    }

    @Test("What was said of the renewal before a period began does not count for it")
    func oldRenewalState() {
        var chain = statement(end: 30, of: .signedData, day: 0)
        chain.renewal = Stamped(
            RenewalState(willRenew: true, isInBillingRetry: true),
            Stamp(asOf: Month.start(1, day: -1), source: .signedData))
        let status = SubscriptionStatus(of: [chain], at: Month.start(1, day: 31))
        #expect(status.state == .expired)
        #expect(status.willRenew == nil)
        #expect(status.isRenewalUnconfirmed)
    }

    @Test("The statement that comes with a renewal counts, although it is signed before the period begins")
    func renewalOfThePeriod() {
        var chain = statement(end: 30, of: .signedData, day: 0)
        let stamp = Stamp(asOf: Month.start(1, day: -1), source: .signedData)
        chain.renewal = Stamped(RenewalState(willRenew: true, renewalDate: Month.start(1, day: 30)), stamp)
        #expect(SubscriptionStatus(of: [chain], at: Month.start(1, day: 5)).willRenew == true)
        chain.renewal = Stamped(RenewalState(willRenew: true, renewalDate: Month.start(1)), stamp)
        #expect(SubscriptionStatus(of: [chain], at: Month.start(1, day: 5)).willRenew == nil)
    }

    @Test("A refund counts from its instant on")
    func refund() {
        var transaction = statement(end: 30, of: .signedData, day: 0).transactions[0]
        transaction.revocation = Stamped(
            .revoked(at: Month.start(1, day: 10)), Stamp(asOf: Month.start(1, day: 10), source: .signedData))
        let chain = PurchaseChain(originalID: "o1", transactions: [transaction])
        #expect(state(chain, day: 9) == .active)
        #expect(state(chain, day: 10) == .revoked)
        #expect(state(chain, day: 90) == .revoked)
    }

    @Test("A renewal is unconfirmed from the end of the period until news of after it")
    func unconfirmed() {
        var chain = statement(end: 30, of: .signedData, day: 0)
        for (said, expected) in [(29, true), (30, false)] as [(Int64, Bool)] {
            chain.renewal = Stamped(
                RenewalState(willRenew: true), Stamp(asOf: Month.start(1, day: said), source: .signedData))
            #expect(SubscriptionStatus(of: [chain], at: Month.start(1, day: 31)).isRenewalUnconfirmed == expected)
            #expect(!SubscriptionStatus(of: [chain], at: Month.start(1, day: 29)).isRenewalUnconfirmed)
        }
    }

    private func state(_ chain: PurchaseChain, day: Int64) -> SubscriptionState {
        SubscriptionStatus(of: [chain], at: Month.start(1, day: day)).state
    }

    /// One period from the first day of month 1, as a source states it on a day.
    private func statement(end: Int64, of source: Source, day: Int64) -> PurchaseChain {
        PurchaseChain(
            originalID: "o1",
            transactions: [
                PurchaseTransaction(
                    id: "o1", productID: "p", purchasedAt: Month.start(1),
                    state: .init(expiry: Stamped(Month.start(1, day: end), Stamp(asOf: Month.start(1, day: day), source: source)))
                )
            ])
    }
}
