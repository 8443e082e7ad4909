import EligibilityRules
import OfferStore
import Testing

@Suite("History contract: damage")
struct DamageContractTests {
    private static let damaged = StoreError(.damaged, "")

    /// Subscriptions 1 to 30 of as many customers; the record of 7 is damaged.
    private func damagedStore(_ implementation: HistoryStoreUnderTest) async throws -> any StoreOnTrial {
        let store = try implementation.make()
        _ = try await store.histories.applyAll((1...30).map { .sample([.sample("\($0)")], of: "customer \($0)") })
        try await store.damageRecord(originalTransactionID: "7", bundleID: "com.example.app")
        return store
    }

    @Test("A damaged record is an error, and nobody else's", arguments: HistoryStoreUnderTest.allCases)
    func reading(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try await damagedStore(implementation)
        defer { withExtendedLifetime(store) {} }
        for query in [HistoryQuery.sample(customer: "customer 7"), .sample(transaction: "7")] {
            await #expect(throws: Self.damaged) { try await store.histories.find(query) }
            await #expect(throws: Self.damaged) { try await store.histories.wholeHistory(of: query) }
        }
        for number in 1...30 where number != 7 {
            #expect(try await store.histories.find(.sample(customer: "customer \(number)")).isSupplied)
        }
    }

    @Test("Nothing is written over a damaged record, and the others' changes go in", arguments: HistoryStoreUnderTest.allCases)
    func writing(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try await damagedStore(implementation)
        defer { withExtendedLifetime(store) {} }
        let histories = store.histories
        await #expect(throws: Self.damaged) {
            try await histories.bind(originalTransactionID: "7", to: "x", bundleID: "com.example.app", now: .testNow)
        }
        // All at once, so that they come to share a transaction.
        let failed = try await withThrowingTaskGroup(of: Int?.self) { group in
            for number in 1...30 {
                group.addTask {
                    do {
                        let chains = [PurchaseChain.sample("\(number + 1000)"), .sample("\(number)", periods: 0..<2)]
                        let outcome = try await histories.apply(.sample(chains, of: "customer \(number)", at: .hours(1)))
                        return outcome == .merged([.changed, .changed]) ? nil : 0
                    } catch let error as StoreError where error == DamageContractTests.damaged {
                        return number
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += [$1].compactMap { $0 } }
        }
        #expect(failed == [7])
        for number in 1...30 where number != 7 {
            let ids = try await histories.ids(.sample(customer: "customer \(number)"))
            #expect(ids == [ExactText("\(number)"), ExactText("\(number + 1000)")].sorted { $0.string < $1.string })
            #expect(try await histories.find(.sample(transaction: "\(number)01")).isSupplied)
        }
        #expect(try await histories.find(.sample(transaction: "1007")) == .unknown)
    }

    @Test("A notification about a damaged record is not taken: it can come again", arguments: HistoryStoreUnderTest.allCases)
    func notification(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try await damagedStore(implementation)
        defer { withExtendedLifetime(store) {} }
        let record = NotificationRecord(
            key: [1], version: 2, type: "REFUND", subtype: nil, originalTransactionID: "7", body: [2], receivedAt: .testNow)
        let change = HistoryChange.sample([.sample("7", periods: 0..<2)], notification: record)
        for _ in 1...2 { await #expect(throws: Self.damaged) { try await store.histories.apply(change) } }
        let kept = try await store.histories.notifications(bundleID: "com.example.app", originalTransactionID: "7")
        #expect(kept.isEmpty)
    }
}
