import Testing

@testable import EligibilityRules

@Suite("Seats added in mid-period")
struct SeatAdditionTests {
    private static let half = RedeemedOffer(kind: .promotional, id: "half")

    /// A month with an offer, to which seats are added on its tenth day; either is refunded on the day that is given.
    private static func chain(
        first: Int64? = nil,
        addition: Int64? = nil,
        isFirstMarked: Bool = true,
        then: [PurchaseTransaction] = []
    ) -> PurchaseChain {
        func transaction(_ id: String, _ day: Int64, refunded: Int64?) -> PurchaseTransaction {
            PurchaseTransaction(
                id: id, productID: "monthly", purchasedAt: Month.start(1, day: day),
                terms: .init(offer: half, sale: Sale(price: 9990, currency: "USD")),
                course: .init(sharesPeriod: id != "1" || isFirstMarked),
                state: .init(
                    expiry: Stamped(Month.start(2), Chain.stamp(1, day)),
                    revocation: Stamped(
                        refunded.map { .revoked(at: Month.start(1, day: $0)) } ?? .none, Chain.stamp(1, refunded ?? day))))
        }
        return PurchaseChain(
            originalID: "1", groupID: Shop.group, environment: .production,
            transactions: [transaction("1", 0, refunded: first), transaction("2", 10, refunded: addition)] + then)
    }

    private static func customer(_ chain: PurchaseChain, day: Int64) -> Customer {
        Customer(
            history: PurchaseHistory([chain]), completeness: .complete, catalogue: Shop.catalogue, policy: EligibilityPolicy(),
            now: Month.start(1, day: day))
    }

    @Test(
        "It neither ends nor doubles the period, and its refund takes its seats only; all of a period's refunds end it",
        arguments: [
            (chain(), SubscriptionState.active, 1, 0), (chain(isFirstMarked: false), .active, 1, 0),
            (chain(addition: 12), .active, 1, 0), (chain(addition: 12, isFirstMarked: false), .active, 1, 0),
            (chain(first: 12), .active, 1, 0), (chain(first: 12, addition: 14), .revoked, 0, 1),
        ])
    func period(chain: PurchaseChain, state: SubscriptionState, paid: Int, refunds: Int) {
        for known in [chain, chain.summary(from: Month.start(1, day: 20))] {
            let customer = Self.customer(known, day: 20)
            #expect(customer.ownStatus.state == state && customer.ownStatus.transaction?.id == "1")
            #expect(PromotionalOfferRule.verdict(for: customer).transactionID == "1")
        }
        let facts = CustomerFacts(of: Self.customer(chain, day: 20), historyUpdatedAt: nil)
        #expect(facts.purchases == 1 && facts.lastPurchaseAt == Month.start(1))
        #expect(facts.subscriptions[0].paidPeriods == paid && facts.refunds.count == refunds)
        #expect(facts.redemptions.map(\.periods) == [1])
        let polled = PollSchedule.next(for: chain, after: Month.start(1, day: 20), lastAsked: Month.start(1, day: 19))
        #expect((polled == nil) == (state == .revoked))
    }

    @Test("Seats whose period is not known are a subscription, and their refund proves no end of it")
    func alone() {
        let shown = Self.chain(addition: 12).with(transactions: [Self.chain(addition: 12).transactions[1]])
        #expect(Self.customer(shown, day: 20).ownStatus.state == .active)
    }

    @Test("The renewal of a period with added seats, and what is bought after a refund, are periods of their own")
    func others() {
        func next(_ day: Int64, isRenewal: Bool) -> PurchaseTransaction {
            PurchaseTransaction(
                id: "3", productID: "monthly", purchasedAt: Month.start(1, day: day), terms: .init(offer: Self.half),
                course: .init(isRenewal: isRenewal, sharesPeriod: true),
                state: .init(expiry: Stamped(Month.start(1, day: day + 30), Chain.stamp(1, day))))
        }
        let renewed = Self.chain(then: [next(29, isRenewal: true)])
        #expect(renewed.periods.map { $0.map(\.id) } == [["1", "2"], ["3"]])
        let again = Self.chain(first: 12, addition: 12, then: [next(15, isRenewal: false)])
        #expect(again.periods.map { $0.map(\.id) } == [["1", "2"], ["3"]])
        #expect(again.redemptions(in: Shop.catalogue).count == 2)
    }

    @Test("Seats that are added after an exposure are paid for, and are no new subscription")
    func outcome() {
        let rule = ConversionRule(CampaignGoal(metric: .subscribed), EligibilityPolicy(), catalogue: Shop.catalogue)
        func outcome(_ chain: PurchaseChain) -> UnitOutcome {
            rule.outcome(
                of: PurchaseHistory([chain]), exposedAt: Month.start(1, day: 5), offers: [OutcomeRow.half], now: Month.start(3))
        }
        #expect(outcome(Self.chain()).convertedAt == nil && outcome(Self.chain()).redeemedAt == nil)
        #expect(outcome(Self.chain()).paid.payments == [UnitOutcome.Payment(currency: "USD", amount: 9990)])
        #expect(outcome(Self.chain(addition: 12)).paid.payments.isEmpty)
    }
}
