import EligibilityRules
import OfferStore
import OfferStoreTesting
import Testing

@Suite("What a change tells of its customer")
struct CustomerRulesTests {
    private func change(
        _ chains: [PurchaseChain],
        of customer: String? = "ada",
        _ extent: HistoryChange.Extent = .part
    ) -> HistoryChange {
        HistoryChange(
            partition: "com.example.app", claim: CustomerClaim(customer, .vouched), chains: chains, extent: extent,
            receivedAt: .testNow)
    }

    @Test("Supplied is what no subscription stands for: nothing, or other purchases, unless they are all another customer's")
    func supplied() {
        #expect(change([]).suppliedCustomer([]) == "ada")
        #expect(change([.consumable("1")]).suppliedCustomer([.changed]) == "ada")
        #expect(change([.consumable("1")]).suppliedCustomer([.unchanged]) == "ada")
        #expect(change([.consumable("1"), .consumable("2")]).suppliedCustomer([.boundToAnotherCustomer, .changed]) == "ada")
        #expect(change([.consumable("1")]).suppliedCustomer([.boundToAnotherCustomer]) == nil)
        #expect(change([.sample("1")]).suppliedCustomer([.changed]) == nil)
        #expect(change([.consumable("1"), .sample("2")]).suppliedCustomer([.changed, .changed]) == nil)
        // A renewal without its purchase.
        #expect(change([PurchaseChain(originalID: "1")]).suppliedCustomer([.changed]) == nil)
        #expect(change([], of: nil).suppliedCustomer([]) == nil)
        #expect(change([], .foreign).suppliedCustomer([]) == nil)
    }

    @Test("Complete is the customer whose account it is, all of it")
    func complete() {
        let account = change([.sample("1"), .sample("2")], .account)
        #expect(account.completeCustomer([.changed, .unchanged], owners: { [] }) == "ada")
        #expect(account.completeCustomer([.changed, .boundToAnotherCustomer], owners: { [] }) == nil)
        #expect(change([], .account).completeCustomer([], owners: { [] }) == "ada")
        for extent in [HistoryChange.Extent.part, .foreign] {
            #expect(change([.sample("1")], extent).completeCustomer([.changed], owners: { ["ada"] }) == nil)
        }
    }

    @Test(
        "Where a change names no customer, all of the account must be one customer's",
        arguments: [
            (["ada", "ada"], "ada"), (["ada"], "ada"), (["ada", nil], nil), ([nil, "ada"], nil), (["ada", "bob"], nil),
            ([nil], nil), ([], nil), (["\u{E9}", "e\u{301}"], nil),
        ] as [([String?], String?)])
    func soleOwner(owners: [String?], expected: String?) {
        let outcomes = owners.map { _ in ChainOutcome.changed }
        #expect(
            change(owners.map { _ in .sample("1") }, of: nil, .account).completeCustomer(outcomes, owners: { owners }) == expected
        )
    }

    @Test("The last supplying counts, and the first showing of the whole account")
    func times() {
        let first = CustomerTimes(suppliedAt: .hours(1), completeAt: .hours(2))
        #expect(first.merged(with: CustomerTimes()) == first)
        #expect(CustomerTimes().merged(with: first) == first)
        let later = CustomerTimes(suppliedAt: .hours(3), completeAt: .hours(4))
        #expect(first.merged(with: later) == CustomerTimes(suppliedAt: .hours(3), completeAt: .hours(2)))
    }

    @Test("A product's group is replaced by another that a later purchase, or one of the same time, names")
    func groups() {
        func group(_ id: String, at hour: Int64) -> SeenGroup {
            SeenGroup(productID: "pro.monthly", groupID: id, purchasedAt: .hours(hour))
        }
        #expect(group("1", at: 5).isReplaced(by: group("2", at: 6)))
        #expect(group("1", at: 5).isReplaced(by: group("2", at: 5)))
        #expect(!group("1", at: 5).isReplaced(by: group("2", at: 4)))
        #expect(!group("1", at: 5).isReplaced(by: group("1", at: 6)))
    }
}
