import EligibilityRules
import OfferStore
import OfferStoreTesting
import Testing

@Suite("History contract: whose a subscription is")
struct BindingContractTests {
    private func bind(
        _ id: String,
        to customer: String,
        in store: any StoreFixture,
        at now: Instant = .hours(1)
    ) async throws -> BindingOutcome {
        try await store.histories.bind(originalTransactionID: id, to: customer, partition: "com.example.app", now: now)
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
        #expect(before == StoredHistory(history: PurchaseHistory([chain]), customerID: "ada", updatedAt: .hours(1)))
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
        #expect(
            stored == StoredHistory(history: PurchaseHistory([.sample("1")]), customerID: "ada", updatedAt: .hours(2)))
    }

    @Test("A history that names its customer binds as well", arguments: HistoryStoreUnderTest.allCases)
    func bindingByHistory(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        _ = try await store.histories.apply(.sample([.sample("1")], of: "ada"))
        #expect(try await bind("1", to: "ada", in: store) == .unchanged)
        #expect(try await bind("1", to: "bob", in: store) == .boundToAnotherCustomer)
    }

    @Test(
        "A transfer takes a subscription from its customer, with all that took its place",
        arguments: HistoryStoreUnderTest.allCases)
    func transfer(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        var (bundle, again) = (PurchaseChain.sample("2"), PurchaseChain.sample("3"))
        (bundle.previousOriginalID, again.previousOriginalID) = ("1", "2")
        _ = try await store.histories.apply(.sample([.sample("1"), bundle, again, .sample("9")], of: "ada"))
        func transfer(_ id: String, to customer: String) async throws -> BindingOutcome {
            try await store.histories.bind(
                originalTransactionID: id, to: CustomerClaim(customer, .transferred), partition: "com.example.app",
                now: .hours(1))
        }
        func ids(_ customer: String) async throws -> [String] {
            let query = HistoryQuery.sample(customer: customer)
            let found = try await store.histories.find(query).history.chains.map(\.originalID)
            #expect(try await store.histories.wholeHistory(of: query).history.chains.map(\.originalID) == found)
            return found
        }
        #expect(try await transfer("2", to: "bob") == .transferred(from: "ada"))
        #expect(try await transfer("2", to: "bob") == .unchanged)
        #expect(try await ids("ada") == ["9"])
        #expect(try await ids("bob") == ["1", "2", "3"])
        // What comes of it later is the new customer's, too, and the old one is a stranger to it.
        _ = try await store.histories.apply(.sample([.sample("1", periods: 0..<2)]))
        #expect(try await store.histories.apply(.sample([.sample("3")], of: "ada")) == .merged([.boundToAnotherCustomer]))
        #expect(try await ids("bob") == ["1", "2", "3"])
        // One of no customer, and an unknown one, are simply bound.
        _ = try await store.histories.apply(.sample([.sample("7")]))
        #expect(try await transfer("7", to: "ada") == .bound)
        #expect(try await transfer("8", to: "ada") == .bound)
    }

    @Test("What is unbound belongs to no customer until one brings it", arguments: HistoryStoreUnderTest.allCases)
    func unbinding(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        func unbind(_ id: String, from customer: String) async throws -> BindingOutcome {
            try await store.histories.unbind(
                originalTransactionID: id, from: customer, partition: "com.example.app", now: .hours(1))
        }
        var bundle = PurchaseChain.sample("2")
        bundle.previousOriginalID = "1"
        _ = try await store.histories.apply(.sample([.sample("1", periods: 0..<2), bundle, .sample("9")], of: "ada"))
        #expect(try await unbind("1", from: "bob") == .boundToAnotherCustomer)
        #expect(try await unbind("5", from: "ada") == .unchanged)
        #expect(try await unbind("101", from: "ada") == .unbound)
        #expect(try await unbind("2", from: "ada") == .unchanged)
        #expect(try await store.histories.find(.sample(customer: "ada")).history.chains.map(\.originalID) == ["9"])
        _ = try await store.histories.apply(.sample([bundle]))
        #expect(try await store.histories.apply(.sample([.sample("1")], of: "bob")) == .merged([.changed]))
        #expect(try await store.histories.find(.sample(customer: "bob")).history.chains.map(\.originalID) == ["1", "2"])
    }

    @Test("News that may transfer belong to who came last", arguments: HistoryStoreUnderTest.allCases)
    func latest(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        for (customer, before) in [("ada", nil), ("bob", "ada"), ("ada", "bob"), ("ada", nil)] as [(String, String?)] {
            let change = HistoryChange(
                partition: "com.example.app", claim: CustomerClaim(customer, .claimed), chains: [.sample("1")],
                terms: HistoryChange.Terms(isAllOrNothing: true, transfers: true), receivedAt: .hours(1))
            guard case .merged(let outcomes) = try await store.histories.apply(change) else {
                Issue.record("nothing was merged")
                return
            }
            if let before {
                #expect(outcomes == [.taken(from: before)])
            } else {
                #expect(outcomes[0] == .changed || outcomes[0] == .unchanged)
            }
            for other in ["ada", "bob"] {
                let chains = try await store.histories.find(.sample(customer: other)).history.chains
                #expect(chains.count == (other == customer ? 1 : 0), "\(customer), \(other)")
            }
        }
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
