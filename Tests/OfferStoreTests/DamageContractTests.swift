import EligibilityRules
import OfferStore
import OfferStoreTesting
import Testing

@Suite("History contract: damage")
struct DamageContractTests {
    private static let damaged = StoreError(.damaged, "")

    /// Subscriptions 1 to 30 of as many customers; the record of 7 is damaged.
    private func damagedStore(_ implementation: HistoryStoreUnderTest) async throws -> any StoreFixture {
        let store = try implementation.make()
        _ = try await store.histories.applyAll((1...30).map { .sample([.sample("\($0)")], of: "customer \($0)") })
        try await store.damageRecord(originalTransactionID: "7", partition: "com.example.app")
        return store
    }

    @Test("A damaged record is reported, and no other", arguments: HistoryStoreUnderTest.allCases)
    func reading(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try await damagedStore(implementation)
        defer { withExtendedLifetime(store) {} }
        for query in [HistoryQuery.sample(customer: "customer 7"), .sample(transaction: "7")] {
            let found = try await store.histories.find(query)
            #expect(throws: Self.damaged) { try found.intact() }
            let whole = try await store.histories.wholeHistory(of: query)
            #expect(throws: Self.damaged) { try whole.intact() }
        }
        for number in 1...30 where number != 7 {
            let found = try await store.histories.find(.sample(customer: "customer \(number)"))
            #expect(try found.intact().isSupplied)
        }
    }

    @Test("Supplied anew, a damaged history is mended, and stays its customer's", arguments: HistoryStoreUnderTest.allCases)
    func mending(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try await damagedStore(implementation)
        defer { withExtendedLifetime(store) {} }
        let histories = store.histories
        let bound = try await histories.bind(
            originalTransactionID: "7", to: "x", partition: "com.example.app", now: .testNow)
        #expect(bound == .boundToAnotherCustomer)
        let outcome = try await histories.apply(.sample([.sample("7")], at: .hours(1)))
        #expect(outcome == .merged([.changed]))
        let found = try await histories.find(.sample(customer: "customer 7"))
        #expect(try found.intact().history.chains.map(\.originalID) == ["7"])
        #expect(try await histories.apply(.sample([.sample("7")], at: .hours(2))) == .merged([.unchanged]))
    }

    @Test("An erasure takes a damaged record of the customer's token, too", arguments: HistoryStoreUnderTest.allCases)
    func erasure(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let histories = store.histories
        let token = "0a7e5b1c-0000-4000-8000-00000000000a"
        let record = NotificationRecord(
            key: [1], version: 2, type: "TEST", subtype: nil, originalTransactionID: "2", body: [2], receivedAt: .testNow)
        _ = try await histories.apply(.sample([.sample("2", token: token)], notification: record))
        _ = try await histories.apply(.sample([.sample("1", token: token)], of: "ada"))
        try await store.damageRecord(originalTransactionID: "2", partition: "com.example.app")
        let erased = try await histories.erase(customerID: "ada", partition: "com.example.app", now: .hours(1))
        #expect(erased.chains == 2 && erased.notifications == 1)
        #expect(try await histories.find(.sample(token: token)) == .unknown)
    }

    @Test("A subscription does not move without its damaged successor", arguments: HistoryStoreUnderTest.allCases)
    func moving(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let histories = store.histories
        var successor = PurchaseChain.sample("2")
        successor.previousOriginalID = "1"
        _ = try await histories.apply(.sample([.sample("1"), successor], of: "ada", by: .claimed))
        try await store.damageRecord(originalTransactionID: "2", partition: "com.example.app")
        await #expect(throws: Self.damaged) {
            try await histories.bind(originalTransactionID: "1", to: "bob", partition: "com.example.app", now: .hours(1))
        }
        #expect(try await histories.apply(.sample([.sample("1")], of: "bob")) == .merged([.boundToAnotherCustomer]))
        #expect(try await histories.wholeHistory(of: .sample(customer: "bob")) == .unknown)
    }

    @Test("A notification about a damaged record is kept", arguments: HistoryStoreUnderTest.allCases)
    func notification(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try await damagedStore(implementation)
        defer { withExtendedLifetime(store) {} }
        let record = NotificationRecord(
            key: [1], version: 2, type: "REFUND", subtype: nil, originalTransactionID: "7", body: [2], receivedAt: .testNow)
        let change = HistoryChange.sample([.sample("7", periods: 0..<2)], notification: record)
        #expect(try await store.histories.apply(change) == .merged([.changed]))
        #expect(try await store.histories.apply(change) == .knownNotification)
        let kept = try await store.histories.wholeNotifications(partition: "com.example.app", originalTransactionID: "7")
        #expect(kept == [record])
    }

    @Test("All or nothing: one chain of another customer's keeps the others out", arguments: HistoryStoreUnderTest.allCases)
    func allOrNothing(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        _ = try await store.histories.apply(.sample([.sample("1")], of: "first"))
        let change = HistoryChange(
            partition: "com.example.app", claim: CustomerClaim("second", .vouched), chains: [.sample("2"), .sample("1")],
            terms: HistoryChange.Terms(isAllOrNothing: true), receivedAt: .testNow)
        #expect(try await store.histories.apply(change) == .merged([.boundToAnotherCustomer, .boundToAnotherCustomer]))
        #expect(try await store.histories.find(.sample(transaction: "2")) == .unknown)
    }
}
