import Testing

@testable import EligibilityRules

@Suite("Facts of a customer")
struct CustomerFactsTests {
    private static let day: Int64 = 24 * 3600 * 1000

    private static func instant(_ days: Int64) -> Instant { Instant(milliseconds: days * day) }

    private static func period(
        _ id: String,
        _ days: Range<Int64>,
        offer: RedeemedOffer? = nil,
        sale: Sale? = nil
    ) -> PurchaseTransaction {
        PurchaseTransaction(
            id: id, productID: "monthly", purchasedAt: instant(days.lowerBound), kind: .autoRenewableSubscription,
            ownership: .purchased, terms: .init(offer: offer, sale: sale),
            state: .init(expiry: Stamped(instant(days.upperBound), Stamp(asOf: instant(days.lowerBound), source: .signedData))))
    }

    private static func facts(_ chains: [PurchaseChain], at days: Int64) -> CustomerFacts {
        let customer = Customer(
            history: PurchaseHistory(chains), completeness: .partial, catalogue: Catalogue(products: []),
            policy: EligibilityPolicy(), now: instant(days))
        return CustomerFacts(of: customer, historyUpdatedAt: nil)
    }

    @Test("Of a customer without purchases there is nothing, and that is no use of an offer")
    func nobody() {
        let facts = Self.facts([], at: 5)
        #expect(facts.subscriptions.isEmpty && facts.purchases == 0 && facts.redemptions.isEmpty && facts.refunds.isEmpty)
        #expect(facts.introductoryOfferUsed == false && facts.daysSinceFirstPurchase == nil)
    }

    @Test("Days count once where periods overlap, and end with what took a period's place")
    func days() {
        let chain = PurchaseChain(
            originalID: "1", groupID: "g",
            transactions: [Self.period("1", 0..<30), Self.period("2", 20..<50), Self.period("3", 60..<90)])
        let subscription = Self.facts([chain], at: 70).subscriptions[0]
        #expect(subscription.daysSubscribed == 60 && subscription.since == Self.instant(60))
        #expect(subscription.paidPeriods == 3 && subscription.isKnownFromStart)
    }

    @Test("A history that begins in the middle proves no absence")
    func middle() {
        let chain = PurchaseChain(originalID: "0", groupID: "g", transactions: [Self.period("5", 0..<30)])
        let facts = Self.facts([chain], at: 10)
        #expect(facts.subscriptions[0].introductoryOfferUsed == nil && facts.introductoryOfferUsed == nil)
        #expect(!facts.subscriptions[0].isKnownFromStart)
    }

    @Test("An unknown value is answered, and not taken for a known one")
    func unrecognised() {
        var strange = Self.period("1", 0..<30, offer: RedeemedOffer(kind: .unrecognised, id: "new"))
        strange.particulars = Stamped(
            Particulars([.init(name: "offerType", value: "9", isRecognised: false)]),
            Stamp(asOf: Self.instant(0), source: .signedData))
        let facts = Self.facts([PurchaseChain(originalID: "1", groupID: "g", transactions: [strange])], at: 10)
        #expect(facts.redemptions.map(\.offer.kind) == [.unrecognised])
        #expect(facts.introductoryOfferUsed == nil)
        #expect(facts.unrecognised == [.init(name: "offerType", value: "9", isRecognised: false)])
    }

    @Test(
        "An offer that is redeemed again after a lapse is another redemption; a charge that succeeds late is not",
        arguments: [
            ([0..<30, 30..<60, 60..<90], nil, [3]), ([0..<30, 130..<160], nil, [1, 1]),
            ([0..<30, 130..<160], "PURCHASE", [1, 1]),
            ([0..<30, 45..<75], "RENEWAL", [2]), ([0..<30, 30..<60, 75..<105, 200..<230], nil, [2, 1, 1]),
        ] as [([Range<Int64>], String?, [Int])])
    func redeemedAgain(periods: [Range<Int64>], reason: String?, counts: [Int]) {
        let offer = RedeemedOffer(kind: .promotional, id: "winback50")
        let transactions = periods.enumerated().map { index, days in
            var period = Self.period("\(index + 1)", days, offer: offer)
            period.isRenewal = reason == "RENEWAL"
            return period
        }
        let facts = Self.facts([PurchaseChain(originalID: "1", groupID: "g", transactions: transactions)], at: 300)
        #expect(facts.redemptions.map(\.periods) == counts)
    }

    @Test("An offer that is refunded and redeemed again in the same period is two redemptions")
    func refundedAndRedeemedAgain() {
        let offer = RedeemedOffer(kind: .promotional, id: "winback50")
        var refunded = Self.period("1", 0..<30, offer: offer)
        refunded.revocation = Stamped(.revoked(at: Self.instant(2)), Stamp(asOf: Self.instant(2), source: .signedData))
        let again = Self.period("2", 3..<33, offer: offer)
        let facts = Self.facts([PurchaseChain(originalID: "1", groupID: "g", transactions: [refunded, again])], at: 40)
        #expect(facts.redemptions.map(\.periods) == [1, 1])
    }

    @Test("What two sources say of a sale is put together, whichever comes first")
    func sale() throws {
        let (signed, receipt) = (Sale(price: 0, currency: "USD", storefront: "USA"), Sale(discount: Sale.freeTrial))
        let both = Self.period("1", 0..<7, sale: signed).merged(with: Self.period("1", 0..<7, sale: receipt))
        #expect(both.sale == Sale(price: 0, currency: "USD", storefront: "USA", discount: Sale.freeTrial))
        #expect(both == Self.period("1", 0..<7, sale: receipt).merged(with: Self.period("1", 0..<7, sale: signed)))
        let facts = Self.facts([PurchaseChain(originalID: "1", groupID: "g", transactions: [both])], at: 3)
        #expect(facts.subscriptions[0].paidPeriods == 0)
    }
}
