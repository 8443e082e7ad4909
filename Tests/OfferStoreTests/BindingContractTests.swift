import EligibilityRules
import OfferStore
import OfferStoreTesting
import Testing

@Suite("History contract: whose a subscription is")
struct BindingContractTests {
    private func bind(
        _ id: String,
        to customer: String,
        in store: any StoreOnTrial,
        at now: Instant = .hours(1)
    ) async throws -> BindingOutcome {
        try await store.histories.bind(originalTransactionID: id, to: customer, bundleID: "com.example.app", now: now)
    }

    @Test("A subscription without a customer gets one, once", arguments: HistoryStoreUnderTest.allCases)
    func binding(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let chain = PurchaseChain.sample("1", periods: 0..<2, token: "t")
        _ = try await store.histories.apply(.sample([chain]))
        #expect(try await bind("1", to: "ada", in: store) == .bound)
        #expect(try await bind("1", to: "ada", in: store, at: .hours(2)) == .unchanged)
        let before = try await store.histories.wholeHistory(of: .sample(customer: "ada"))
        #expect(before == StoredHistory(history: PurchaseHistory([chain]), updatedAt: .hours(1)))
        #expect(try await bind("1", to: "bob", in: store, at: .hours(3)) == .boundToAnotherCustomer)
        #expect(try await store.histories.wholeHistory(of: .sample(customer: "ada")) == before)
        #expect(try await store.histories.find(.sample(customer: "bob")) == .unknown)
        #expect(try await store.histories.find(.sample(customer: "ada", app: "com.example.other")) == .unknown)
    }

    @Test("A subscription can be bound before anything is known of it", arguments: HistoryStoreUnderTest.allCases)
    func bindingFirst(_ implementation: HistoryStoreUnderTest) async throws {
        let first = try implementation.make()
        defer { withExtendedLifetime(first) {} }
        #expect(try await bind("1", to: "ada", in: first) == .bound)
        let store = try first.reopened()
        #expect(try await bind("1", to: "ada", in: store) == .unchanged)
        #expect(try await bind("1", to: "bob", in: store) == .boundToAnotherCustomer)
        #expect(try await store.histories.apply(.sample([.sample("1")], of: "bob")) == .merged([.boundToAnotherCustomer]))
        #expect(try await store.histories.find(.sample(customer: "ada")) == .unknown)
        #expect(try await store.histories.apply(.sample([.sample("1")], at: .hours(2))) == .merged([.changed]))
        let stored = try await store.histories.wholeHistory(of: .sample(customer: "ada"))
        #expect(stored == StoredHistory(history: PurchaseHistory([.sample("1")]), updatedAt: .hours(2)))
    }

    @Test("A history that names its customer binds as well", arguments: HistoryStoreUnderTest.allCases)
    func bindingByHistory(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        _ = try await store.histories.apply(.sample([.sample("1")], of: "ada"))
        #expect(try await bind("1", to: "ada", in: store) == .unchanged)
        #expect(try await bind("1", to: "bob", in: store) == .boundToAnotherCustomer)
    }

    @Test("Of many customers who want one subscription at once, one gets it", arguments: HistoryStoreUnderTest.allCases)
    func race(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let winners = try await withThrowingTaskGroup(of: String?.self) { group in
            for number in 0..<40 {
                group.addTask {
                    let customer = "customer \(number)"
                    if number % 2 == 0 { return try await bind("1", to: customer, in: store) == .bound ? customer : nil }
                    let outcome = try await store.histories.apply(.sample([.sample("1")], of: customer))
                    return outcome == .merged([.changed]) ? customer : nil
                }
            }
            return try await group.reduce(into: []) { $0 += [$1].compactMap { $0 } }
        }
        #expect(winners.count == 1)
        _ = try await store.histories.apply(.sample([.sample("1")]))
        for number in 0..<40 {
            let customer = "customer \(number)"
            let stored = try await store.histories.find(.sample(customer: customer, transaction: "1"))
            #expect(stored.isOfAnotherCustomer == (winners != [customer]))
        }
    }
}
