import Testing

@testable import EligibilityRules

@Suite("What a transaction paid")
struct PaidAmountTests {
    private static let (bought, refunded, now) = (Month.start(1), Month.start(1, day: 10), Month.start(2))
    private static let stamp = Stamp(asOf: refunded, source: .signedData)

    private static func transaction(
        _ sale: Sale?,
        ownership: Ownership? = .purchased,
        isRevoked: Bool = false,
        isUpgraded: Bool = false,
        sharesPeriod: Bool = false,
        id: String = "1"
    ) -> PurchaseTransaction {
        PurchaseTransaction(
            id: id, productID: "monthly", purchasedAt: id == "1" ? bought : Month.start(1, day: 5), ownership: ownership,
            terms: .init(sale: sale), course: .init(isUpgraded: isUpgraded, sharesPeriod: sharesPeriod),
            state: .init(
                expiry: Stamped(Month.start(2, day: 5), stamp),
                revocation: Stamped(isRevoked ? .revoked(at: refunded) : .none, stamp)))
    }

    private static func sale(_ price: Int64? = 9990, seats: Sale.Seats? = nil, _ refund: Refund = .none) -> Sale? {
        Sale(price: price, currency: "USD", seats: seats, refund: Stamped(refund, stamp))
    }

    private static func dollars(_ amount: Int64) -> PaidAmount { .amount(Money(amount: amount, currency: "USD")) }

    static let table: [(PurchaseTransaction, PaidAmount)] = [
        (transaction(sale()), dollars(9990)),
        (transaction(sale(0)), .nothing), (transaction(Sale(discount: Sale.freeTrial)), .nothing),
        (transaction(nil), .unknown), (transaction(sale(nil)), .unknown), (transaction(Sale(price: 9990)), .unknown),
        // A price that cannot be one.
        (transaction(sale(-1)), .unknown), (transaction(sale(.max)), .unknown),
        // Other people's purchases.
        (transaction(sale(), ownership: .familyShared), .nothing), (transaction(sale(), ownership: .assigned), .nothing),
        (transaction(sale(), ownership: .unrecognised), .unknown), (transaction(sale(), ownership: nil), dollars(9990)),
        // Refunds: of all, of 40 %, of all as a percentage, of 0.015 % and of a third, rounded; of an unknown part.
        (transaction(sale(), isRevoked: true), .nothing), (transaction(nil, isRevoked: true), .nothing),
        (transaction(sale(), isRevoked: true, isUpgraded: true), .nothing),
        (transaction(sale(), isUpgraded: true), dollars(9990)),
        (transaction(sale(10_000, .part(40_000, of: 100_000)), isRevoked: true), dollars(6000)),
        (transaction(sale(9990, .part(100_000, of: 100_000)), isRevoked: true), .nothing),
        (transaction(sale(9990, .part(15, of: 100_000)), isRevoked: true), dollars(9989)),
        (transaction(sale(10_000, .part(1, of: 3))), dollars(6667)),
        (transaction(sale(9990, .unknown), isRevoked: true), .unknown),
        (transaction(sale(9990, .part(5, of: 3))), .unknown), (transaction(sale(9990, .part(0, of: 0))), .unknown),
        // Five seats at 9.99 and three at 7.99; two of the eight refunded; all of them.
        (transaction(sale(9240, seats: .charged(73_920))), dollars(73_920)),
        (transaction(sale(9240, seats: .charged(73_920), .part(2, of: 8))), dollars(55_440)),
        (transaction(sale(9240, seats: .charged(73_920), .part(8, of: 8))), .nothing),
        (transaction(sale(9240, seats: .charged(73_920)), isRevoked: true), .nothing),
        (transaction(sale(9240, seats: .unknown)), .unknown), (transaction(sale(0, seats: .charged(0))), .nothing),
    ]

    @Test("Tiers, seats and refunds in part are in it, and what is not known is said to be", arguments: table.indices)
    func paid(row: Int) {
        let (transaction, expected) = Self.table[row]
        #expect(transaction.paid(by: Self.now) == expected)
    }

    @Test(
        "The part that was refunded under one id is refunded, whatever is said of the purchase under another",
        arguments: [false, true])
    func copies(isReversed: Bool) {
        let partly = Self.transaction(Self.sale(10_000, .part(40_000, of: 100_000)), isRevoked: true)
        let later = Stamp(asOf: Self.now, source: .signedData)
        let other = PurchaseTransaction(
            id: "2", productID: "monthly", purchasedAt: Self.bought,
            terms: .init(sale: Sale(price: 10_000, currency: "USD", refund: Stamped(.none, later))),
            state: .init(
                expiry: Stamped(Month.start(2, day: 5), later), revocation: Stamped(.none, later),
                reversal: isReversed ? later : nil))
        for copies in [[partly, other], [other, partly]] {
            #expect(PurchaseTransaction(copies: copies).paid() == Self.dollars(isReversed ? 10_000 : 6000))
        }
    }

    @Test("A refund takes nothing off before it, nor after it was reversed, whichever is heard first")
    func dates() {
        let partly = Self.transaction(Self.sale(10_000, .part(40_000, of: 100_000)), isRevoked: true)
        #expect(partly.paid(by: Month.start(1, day: 9)) == Self.dollars(10_000))
        let later = Stamp(asOf: Self.now, source: .signedData)
        var reversed = Self.transaction(Sale(price: 10_000, currency: "USD", refund: Stamped(.none, later)))
        reversed.revocation = Stamped(.none, later)
        #expect(partly.merged(with: reversed).paid() == Self.dollars(10_000))
        #expect(reversed.merged(with: partly).paid() == Self.dollars(10_000))
        // Unsigned data knows no percentage, and does not undo the one that is known.
        var receipt = Self.transaction(nil)
        receipt.revocation = Stamped(.revoked(at: Self.refunded), Stamp(asOf: Self.now, source: .receipt))
        #expect(partly.merged(with: receipt).paid() == Self.dollars(6000))
    }

    @Test("Facts, audiences and revenue say the same of it", arguments: table.indices)
    func everywhere(row: Int) throws {
        let (transaction, expected) = Self.table[row]
        let chain = PurchaseChain(originalID: "1", groupID: Shop.group, environment: .production, transactions: [transaction])
        let history = PurchaseHistory([chain])
        let customer = Customer(
            history: history, completeness: .complete, catalogue: Shop.catalogue, policy: EligibilityPolicy(), now: Self.now)
        let facts = CustomerFacts(of: customer, historyUpdatedAt: nil)
        // An ownership that is not recognised makes no subscription.
        if let subscription = facts.subscriptions.first {
            #expect(subscription.paid == expected)
            if transaction.isOwn { #expect(subscription.paidPeriods == (expected == .nothing ? 0 : 1)) }
            let reference = FactReference(fact: .subscriptionPrice, group: ExactText(Shop.group))
            #expect(facts.number(reference) == expected.thousandths.map(Double.init))
        }
        let rule = ConversionRule(CampaignGoal(), EligibilityPolicy(), catalogue: Shop.catalogue)
        let outcome = rule.outcome(of: history, exposedAt: Self.bought.advanced(by: -1), offers: [], now: Month.start(9))
        let sums = outcome.paid.payments.map { Money(amount: $0.amount, currency: $0.currency) }
        #expect(outcome.paid.hasUnknownPrice == (expected == .unknown))
        if case .amount(let money) = expected { #expect(sums == [money]) } else { #expect(sums.isEmpty) }
        #expect(outcome.later.map(\.paid) == [outcome.paid, outcome.paid])
    }

    @Test(
        "A period with added seats paid what all of its transactions paid",
        arguments: [(false, false), (true, false), (false, true), (true, true)])
    func additions(isFirstRefunded: Bool, isAdditionRefunded: Bool) {
        let chain = PurchaseChain(
            originalID: "1", groupID: Shop.group, environment: .production,
            transactions: [
                Self.transaction(Self.sale(9990, seats: .charged(49_950)), isRevoked: isFirstRefunded, sharesPeriod: true),
                Self.transaction(
                    Self.sale(7990, seats: .charged(23_970), .part(1, of: 3)), isRevoked: isAdditionRefunded, sharesPeriod: true,
                    id: "2"),
            ])
        let customer = Customer(
            history: PurchaseHistory([chain]), completeness: .complete, catalogue: Shop.catalogue, policy: EligibilityPolicy(),
            now: Self.now)
        let subscription = CustomerFacts(of: customer, historyUpdatedAt: nil).subscriptions[0]
        let expected = (isFirstRefunded ? 0 : 49_950) + 15_980 as Int64
        #expect(subscription.paid == Self.dollars(expected) && subscription.paidPeriods == 1)
        #expect(subscription.status.transaction?.sale?.charged == 73_920)
    }
}
