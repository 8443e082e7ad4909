import EligibilityRules
import OfferStore
import OfferStoreTesting
import Testing

@Suite("Contract: receipts")
struct ReceiptContractTests {
    private static let app: AppPartition = "com.example.app"

    private func receipt(
        _ id: String,
        _ bytes: String = "sealed",
        shownAt: Instant = .testNow,
        verifiedAt: Instant? = nil
    ) -> KeptReceipt {
        KeptReceipt(originalTransactionID: id, sealed: Array(bytes.utf8), shownAt: shownAt, verifiedAt: verifiedAt)
    }

    private func unverified(
        _ digest: UInt8,
        of customerID: String? = nil,
        keptAt: Instant = .testNow,
        dueAt: Instant? = .testNow,
        app: AppPartition = app
    ) -> UnverifiedReceipt {
        UnverifiedReceipt(
            partition: app, digest: [digest, 0, 255], customerID: customerID, sealed: [digest, 1, 2], keptAt: keptAt,
            reason: "receipt-status-21005", dueAt: dueAt)
    }

    private func change(
        _ chains: [PurchaseChain],
        _ receipts: [KeptReceipt],
        of customerID: String? = nil,
        at receivedAt: Instant = .testNow
    ) -> HistoryChange {
        HistoryChange(
            partition: Self.app, claim: CustomerClaim(customerID, .vouched), chains: chains, receipts: receipts,
            receivedAt: receivedAt)
    }

    private func due(_ store: any StoreFixture, at now: Instant, limit: Int = 100) async throws -> [ReceiptRecord] {
        try await store.receipts.claim(partition: Self.app, dueAt: now, until: now.advanced(by: 1), limit: limit)
    }

    private func text(_ record: ReceiptRecord) -> String { String(decoding: record.sealed, as: UTF8.self) }

    @Test("The receipt of a subscription is due as the subscription is", arguments: HistoryStoreUnderTest.allCases)
    func schedule(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let chain = PurchaseChain.sample("1")
        _ = try await store.histories.apply(change([chain, .consumable("2")], [receipt("1"), receipt("2"), receipt("3")]))
        let first = try #require(PollSchedule.next(for: chain, after: .testNow, sweeps: false))
        #expect(try await due(store, at: first.advanced(by: -1)).isEmpty)
        let records = try await due(store, at: first)
        #expect(records.map(\.name) == [.subscription("1")])
        #expect(
            records.map(text) == ["sealed"] && records[0].failures == 0 && records[0].reason == nil
                && records[0].customerID == nil && records[0].keptAt == .testNow)
        // A renewal, whichever source tells of it, puts it off.
        let longer = PurchaseChain.sample("1", periods: 0..<2)
        _ = try await store.histories.apply(change([longer], [], at: .hours(721)))
        let second = try #require(PollSchedule.next(for: longer, after: .hours(721), sweeps: false))
        #expect(first < second)
        #expect(try await due(store, at: second.advanced(by: -1)).isEmpty)
        #expect(try await due(store, at: second).map(text) == ["sealed"])
        // What has no subscription has no receipt that is ever due.
        #expect(try await due(store, at: .hours(99_999)).map(\.name) == [.subscription("1")])
        #expect(try await store.receipts.counts().map(\.count).reduce(0, +) == 2)
    }

    @Test("A later receipt takes the place of the one before, an earlier one does not", arguments: HistoryStoreUnderTest.allCases)
    func replacing(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let chain = PurchaseChain.sample("1")
        for (bytes, hours) in [("a", 5), ("b", 4), ("c", 5), ("d", 6)] as [(String, Int64)] {
            _ = try await store.histories.apply(change([chain], [receipt("1", bytes, shownAt: .hours(hours))]))
        }
        let record = try #require(try await due(store, at: .hours(99_999)).first)
        #expect(text(record) == "d")
        _ = try await store.histories.apply(change([chain], [receipt("1", "e", shownAt: .hours(1))]))
        // Once it is of no use, any other is better.
        try await store.receipts.note(ReceiptFailure(reason: "receipt-status-21010", failures: 1, dueAt: nil), of: record)
        #expect(try await due(store, at: .hours(99_999)).isEmpty)
        _ = try await store.histories.apply(change([PurchaseChain.sample("1", periods: 0..<2)], [], at: .hours(700)))
        #expect(try await due(store, at: .hours(99_999)).isEmpty)
        #expect(
            try await store.receipts.counts() == [ReceiptCount(partition: Self.app, reason: "receipt-status-21010", count: 1)])
        _ = try await store.histories.apply(change([chain], [receipt("1", "f", shownAt: .hours(1))], at: .hours(701)))
        #expect(try await due(store, at: .hours(99_999)).map(text) == ["f"])
        #expect(try await store.receipts.counts() == [ReceiptCount(partition: Self.app, reason: nil, count: 1)])
    }

    @Test(
        "A process that asks has a receipt for itself until an instant, and over a restart",
        arguments: HistoryStoreUnderTest.allCases)
    func claiming(_ implementation: HistoryStoreUnderTest) async throws {
        var store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        for number in 1...5 as ClosedRange<UInt8> {
            try await store.receipts.keep(unverified(number, dueAt: .hours(Int64(number))), limit: 100)
        }
        func claim(_ limit: Int, at now: Instant) async throws -> [UInt8] {
            try await store.receipts.claim(partition: Self.app, dueAt: now, until: .hours(20), limit: limit).map { $0.sealed[0] }
        }
        #expect(try await claim(2, at: .hours(3)) == [1, 2])
        #expect(try await claim(2, at: .hours(3)) == [3])
        #expect(try await claim(2, at: .hours(3)) == [])
        store = try store.reopened()
        #expect(try await claim(9, at: .hours(19)) == [4, 5])
        #expect(try await claim(9, at: .hours(20)).count == 5)
        #expect(
            try await store.receipts.claim(partition: "com.example.other", dueAt: .hours(99), until: .hours(100), limit: 9) == [])
    }

    @Test("Of many at once each receipt goes to one", arguments: HistoryStoreUnderTest.allCases)
    func concurrency(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        for number in 0..<60 as Range<UInt8> { try await store.receipts.keep(unverified(number), limit: 100) }
        let receipts = store.receipts
        let claimed = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<20 {
                group.addTask {
                    try await receipts.claim(partition: Self.app, dueAt: .testNow, until: .hours(1), limit: 4).map {
                        $0.sealed[0]
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(claimed.sorted() == Array(0..<60))
    }

    @Test("What is noted of a receipt is not noted of the one that took its place", arguments: HistoryStoreUnderTest.allCases)
    func stale(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let chain = PurchaseChain.sample("1")
        _ = try await store.histories.apply(change([chain], [receipt("1", "a")]))
        let record = try #require(try await due(store, at: .hours(9999)).first)
        _ = try await store.histories.apply(change([chain], [receipt("1", "b")], at: .hours(1)))
        try await store.receipts.note(ReceiptFailure(reason: "receipt-status-21003", failures: 1, dueAt: nil), of: record)
        let other = try #require(try await due(store, at: .hours(9999)).first)
        #expect(text(other) == "b" && other.reason == nil)
        try await store.receipts.note(ReceiptFailure(reason: "x", failures: 3, dueAt: .hours(5)), of: other)
        #expect(try await due(store, at: .hours(4)).isEmpty)
        let again = try #require(try await due(store, at: .hours(5)).first)
        #expect((again.reason, again.failures) == ("x", 3))
        // News of the subscription do not bring it back before its time.
        try await store.receipts.note(ReceiptFailure(reason: "x", failures: 4, dueAt: .hours(2000)), of: again)
        _ = try await store.histories.apply(change([PurchaseChain.sample("1", periods: 0..<2)], [], at: .hours(1)))
        #expect(try await due(store, at: .hours(1999)).isEmpty)
    }

    @Test("Of a subscription that another customer has no receipt is taken", arguments: HistoryStoreUnderTest.allCases)
    func others(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let chain = PurchaseChain.sample("1")
        _ = try await store.histories.apply(change([chain], [receipt("1", "a")], of: "anna"))
        _ = try await store.histories.apply(change([chain], [receipt("1", "b", shownAt: .hours(1))], of: "bert"))
        #expect(try await due(store, at: .hours(9999)).map(text) == ["a"])
    }

    @Test("Unverified ones are kept once each, so many at most, so long at most", arguments: HistoryStoreUnderTest.allCases)
    func unverified(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        for number in [1, 2, 3, 1] as [UInt8] {
            try await store.receipts.keep(unverified(number, of: "anna", keptAt: .hours(Int64(number))), limit: 2)
        }
        let other = unverified(9, app: "com.example.other")
        try await store.receipts.keep(other, limit: 2)
        let records = try await due(store, at: .testNow)
        #expect(Set(records.map { $0.sealed[0] }) == [2, 3])
        #expect(records.allSatisfy { $0.customerID == "anna" && $0.failures == 1 && $0.reason == "receipt-status-21005" })
        try await store.receipts.remove(.unverified([3, 0, 255]), partition: Self.app)
        try await store.receipts.remove(.unverified([3, 0, 255]), partition: "com.example.unknown")
        #expect(try await store.receipts.pruneUnverified(before: .hours(2), limit: 10) == 1)
        #expect(try await store.receipts.counts().map(\.partition) == [Self.app])
        #expect(try await store.receipts.counts(byPrefix: 1) == [[2]: 1])
        #expect(try await store.receipts.pruneUnverified(before: .hours(3), limit: 10) == 1)
        #expect(try await store.receipts.counts() == [])
    }

    @Test("An erased customer leaves no receipt", arguments: HistoryStoreUnderTest.allCases)
    func forgetting(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        _ = try await store.histories.apply(change([.sample("1")], [receipt("1")], of: "anna"))
        _ = try await store.histories.apply(change([.sample("2", periods: 0..<2)], [receipt("2")]))
        _ = try await store.histories.apply(change([.sample("3", token: "tok")], [receipt("3")]))
        _ = try await store.histories.apply(change([.sample("4")], [receipt("4")], of: "bert"))
        try await store.receipts.keep(unverified(5, of: "anna"), limit: 9)
        #expect(try await store.receipts.forget(["anna", "201", "tok", "999"], partition: "com.example.other") == 0)
        #expect(try await store.receipts.forget(["anna", "201", "tok", "999"], partition: Self.app) == 4)
        #expect(try await due(store, at: .hours(9999)).map(\.name) == [.subscription("4")])
    }

    @Test("A bulk intake keeps receipts, too", arguments: HistoryStoreUnderTest.allCases)
    func bulk(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        _ = try await store.bulk.apply([change([.sample("1")], [receipt("1", "a")])])
        #expect(try await due(store, at: .hours(9999)).map(text) == ["a"])
    }
}
