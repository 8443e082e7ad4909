import EligibilityRules
import Foundation
import OfferStore
import OfferStoreSQLite
import OfferStoreTesting
import Testing

@Suite("History contract: bulk intake")
struct BulkIntakeContractTests {
    private static let chain = PurchaseChain.sample("1", periods: 0..<3)

    private static let notification = HistoryChange.sample(
        [.sample("2", periods: 0..<3)],
        notification: NotificationRecord(
            key: [1], version: 2, type: "DID_RENEW", subtype: nil, originalTransactionID: "2", body: [2], receivedAt: .testNow))

    @Test(
        "What is taken in counts at once, and after a flush any transaction leads to it",
        arguments: HistoryStoreUnderTest.allCases)
    func intake(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let changes: [HistoryChange] = [
            .sample([Self.chain], of: "ada"), .sample([Self.chain, .sample("3")], of: "bob"), .sample([], of: "cal"),
        ]
        let applied = try await store.bulk.apply(changes)
        #expect(applied.outcomes == [.merged([.changed]), .merged([.boundToAnotherCustomer, .changed]), .merged([])])
        #expect(!applied.isFlushDue)
        #expect(try await store.histories.ids(.sample(customer: "ada")) == ["1"])
        #expect(try await store.histories.ids(.sample(transaction: "1")) == ["1"])
        #expect(try await store.histories.find(.sample(customer: "cal")).isSupplied)
        try await store.bulk.flush()
        #expect(try await store.histories.ids(.sample(transaction: "102")) == ["1"])
        // With nothing put off there is nothing to do.
        try await store.bulk.flush()
    }

    @Test("After a crash what is applied again is put in order, known or not", arguments: HistoryStoreUnderTest.allCases)
    func crash(_ implementation: HistoryStoreUnderTest) async throws {
        let first = try implementation.make()
        defer { withExtendedLifetime(first) {} }
        let changes: [HistoryChange] = [.sample([Self.chain], of: "ada"), Self.notification]
        #expect(try await first.bulk.apply(changes).outcomes == [.merged([.changed]), .merged([.changed])])
        let store = try first.reopened()
        try await store.bulk.flush()
        if implementation.putsIndexOff { #expect(try await store.histories.ids(.sample(transaction: "102")).isEmpty) }
        #expect(try await store.bulk.apply(changes).outcomes == [.merged([.unchanged]), .knownNotification])
        try await store.bulk.flush()
        #expect(try await store.histories.ids(.sample(transaction: "102")) == ["1"])
        #expect(try await store.histories.ids(.sample(transaction: "202")) == ["2"])
    }

    @Test("What was lost in a crash is put in order with a longer history, too", arguments: HistoryStoreUnderTest.allCases)
    func crashBeforeNews(_ implementation: HistoryStoreUnderTest) async throws {
        let first = try implementation.make()
        defer { withExtendedLifetime(first) {} }
        _ = try await first.bulk.apply([.sample([Self.chain], of: "ada")])
        let store = try first.reopened()
        _ = try await store.bulk.apply([.sample([.sample("1", periods: 3..<5)], of: "ada")])
        try await store.bulk.flush()
        for id in ["101", "102", "103", "104"] { #expect(try await store.histories.ids(.sample(transaction: id)) == ["1"]) }
    }

    @Test("Redemptions are noted without a flush", arguments: RedemptionStoreUnderTest.allCases)
    func redemptions(_ implementation: RedemptionStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let transaction = PurchaseTransaction(
            id: "2", productID: "pro.monthly", purchasedAt: .hours(1),
            terms: .init(offer: RedeemedOffer(kind: .promotional, id: "half")))
        let chain = PurchaseChain(originalID: "1", transactions: [transaction])
        _ = try await store.bulk.apply([.sample([chain], of: "ada")])
        #expect(try await store.redemptions.tieRedemptions(limit: 9, now: .hours(2)).examined == 1)
    }

    @Test("When much is put off, a flush is due, and after it no more")
    func due() async throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let store = SQLiteHistoryBulkStore(try SQLiteHistoryFile(path: folder.path("histories.sqlite")), maxPending: 1000)
        #expect(try await store.apply([.sample([.sample("1", periods: 0..<1000)])]).isFlushDue == false)
        #expect(try await store.apply([.sample([.sample("2", periods: 0..<2)])]).isFlushDue)
        #expect(try await store.apply([]).isFlushDue)
        try await store.flush()
        #expect(try await store.apply([]).isFlushDue == false)
    }
}
