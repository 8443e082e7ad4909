import EligibilityRules
import OfferStore
import OfferStoreTesting
import Testing

@Suite("History contract: erasing a customer")
struct ErasureContractTests {
    private static let token = "7e3fb20b-4cdb-47cc-936d-99d65f608138"
    private static let app: AppPartition = "com.example.app"

    @Test("Nothing leads to the customer any more, and the purchases stay", arguments: HistoryStoreUnderTest.allCases)
    func erase(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let histories = store.histories
        _ = try await histories.applyAll([
            .sample([.sample("1000", periods: 0..<2, token: Self.token)], of: "u-1"), .sample([.consumable("7")], of: "u-1"),
            .sample([.sample("2000", token: Self.token)]), .sample([.sample("3000")], of: "u-2"),
        ])
        _ = try await histories.join(alias: "anon-1", into: "u-1", partition: Self.app, now: .testNow)
        let erased = try await histories.erase(customerID: "anon-1", partition: Self.app, now: .hours(1))
        #expect(erased.wasKnown && erased.chains == 3)
        #expect(erased.ids == ["u-1", "anon-1", "1000", "100001", "7", "2000", Self.token])
        for name in ["u-1", "anon-1"] {
            let stored = try await histories.wholeHistory(of: .sample(customer: name))
            #expect(stored.history.isEmpty && !stored.isSupplied, "\(name)")
            #expect(try await histories.find(.sample(customer: name)).isSupplied == false)
            #expect(try await histories.aliases(of: name, partition: Self.app) == [])
        }
        #expect(try await histories.ids(.sample(token: Self.token)) == [])
        // One by one, and not by what stands in the place of their token.
        for id in ["1000", "2000"] { #expect(try await histories.ids(.sample(transaction: id)) == [ExactText(id)]) }
        #expect(try await histories.find(.sample(transaction: "100001")).history.chains[0].transactions.count == 2)
        #expect(try await histories.ids(.sample(customer: "u-2")) == ["3000"])
        let again = try await histories.erase(customerID: "u-1", partition: Self.app, now: .hours(2))
        #expect(!again.wasKnown && again.chains == 0)
    }

    @Test("What the App Store repeats later brings nothing back, in any order", arguments: HistoryStoreUnderTest.allCases)
    func later(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let histories = store.histories
        _ = try await histories.apply(.sample([.sample(token: Self.token)], of: "u-1"))
        _ = try await histories.erase(customerID: "u-1", partition: Self.app, now: .hours(1))
        for (token, hours) in [(Self.token, 800), (Self.token, -800), ("ffffffff-4cdb-47cc-936d-99d65f608138", 900)] {
            _ = try await histories.apply(
                .sample([.sample(periods: 0..<3, token: token, asOf: .hours(Int64(hours)))], at: .hours(1000)))
            #expect(try await histories.ids(.sample(token: token)) == [])
            #expect(try await histories.ids(.sample(customer: "u-1")) == [])
        }
        #expect(try await histories.find(.sample(transaction: "1000")).history.chains[0].transactions.count == 3)
        // Who says that it is theirs is heard.
        _ = try await histories.bind(
            originalTransactionID: "1000", to: CustomerClaim("u-2", .vouched), partition: Self.app, now: .hours(1001))
        #expect(try await histories.ids(.sample(customer: "u-2")) == ["1000"])
    }

    @Test("Notifications lose their content and are known all the same", arguments: HistoryStoreUnderTest.allCases)
    func notifications(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let histories = store.histories
        let record = NotificationRecord(
            key: [1, 2], version: 2, type: "DID_RENEW", subtype: nil, originalTransactionID: "1000", body: Array("secret".utf8),
            receivedAt: .testNow)
        _ = try await histories.apply(.sample([.sample(token: Self.token)], of: "u-1", notification: record))
        #expect(try await histories.erase(customerID: "u-1", partition: Self.app, now: .hours(1)).notifications == 1)
        let left = try await histories.wholeNotifications(partition: Self.app, originalTransactionID: "1000")
        #expect(left.map(\.body) == [[]] && left.map(\.key) == [[1, 2]])
        #expect(try await histories.apply(.sample([.sample()], notification: record)) == .knownNotification)
    }

    @Test(
        "Another customer of the same Apple account keeps theirs, and gets no token",
        arguments: HistoryStoreUnderTest.allCases)
    func neighbours(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let histories = store.histories
        var (own, other) = (PurchaseChain.sample("1000", token: Self.token), PurchaseChain.sample("2000"))
        (own.appTransactionID, other.appTransactionID) = ("70", "70")
        _ = try await histories.applyAll([.sample([own], of: "u-1"), .sample([other], of: "u-2")])
        _ = try await histories.erase(customerID: "u-1", partition: Self.app, now: .hours(1))
        let found = try await histories.find(.sample(customer: "u-2"))
        #expect(found.history.chains.map(\.originalID) == ["2000"])
        #expect(found.accountChains.map(\.originalID) == ["1000"] && found.accountChains[0].accountToken == nil)
    }

    @Test("Nothing is done in an app of which nothing is stored", arguments: HistoryStoreUnderTest.allCases)
    func strange(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let histories = store.histories
        #expect(try await histories.erase(customerID: "u-1", partition: "com.example.other", now: .testNow) == ErasedHistory())
        #expect(try await histories.isEmpty())
    }
}
