import EligibilityRules
import OfferStore
import OfferStoreTesting
import Testing

@Suite("History contract: polling")
struct PollingContractTests {
    private func due(
        _ store: any StoreFixture,
        at now: Instant,
        limit: Int = 100,
        app partition: AppPartition = "com.example.app"
    ) async throws -> [String] {
        try await store.histories.dueForPolling(partition: partition, now: now, limit: limit).map(\.originalTransactionID)
    }

    private func schedule(
        _ id: String,
        at instant: Instant?,
        app partition: AppPartition = "com.example.app",
        in store: any StoreFixture
    ) async throws {
        let target = PollTarget(partition: partition, originalTransactionID: id, dueAt: .testNow)
        try await store.histories.schedulePolling(of: target, at: instant)
    }

    @Test("What is due is given, the longest due first, up to the limit", arguments: HistoryStoreUnderTest.allCases)
    func order(_ implementation: HistoryStoreUnderTest) async throws {
        let first = try implementation.make()
        defer { withExtendedLifetime(first) {} }
        for id in ["1", "2", "007", "x", "5"] { _ = try await first.histories.apply(.sample([.sample(id)])) }
        _ = try await first.histories.apply(.sample([.sample("1")], app: "com.example.other"))
        for (id, hour) in [("1", 5), ("2", 1), ("007", 3), ("x", 2), ("5", 4)] as [(String, Int64)] {
            try await schedule(id, at: .hours(hour), in: first)
        }
        try await schedule("1", at: .hours(0), app: "com.example.other", in: first)
        let store = try first.reopened()
        #expect(try await due(store, at: .hours(9)) == ["2", "x", "007", "5", "1"])
        #expect(try await due(store, at: .hours(9), limit: 2) == ["2", "x"])
        #expect(try await due(store, at: .hours(3)) == ["2", "x", "007"])
        #expect(try await due(store, at: .hours(1).advanced(by: -1)).isEmpty)
        #expect(try await due(store, at: .hours(9), app: "com.example.other") == ["1"])
        #expect(try await due(store, at: .hours(9), app: "com.example.unknown").isEmpty)
        let target = try await store.histories.dueForPolling(partition: "com.example.app", now: .hours(1), limit: 9)
        #expect(target == [PollTarget(partition: "com.example.app", originalTransactionID: "2", dueAt: .hours(1))])
    }

    @Test("A subscription can be put off and left alone", arguments: HistoryStoreUnderTest.allCases)
    func scheduling(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        _ = try await store.histories.apply(.sample([.sample("1"), .sample("2")]))
        for id in ["1", "2"] { try await schedule(id, at: .hours(1), in: store) }
        try await schedule("1", at: .hours(2), in: store)
        try await schedule("2", at: nil, in: store)
        #expect(try await due(store, at: .hours(1)).isEmpty)
        #expect(try await due(store, at: .hours(9000)) == ["1"])
        // What is not known cannot become due.
        try await schedule("3", at: .hours(0), in: store)
        try await schedule("1", at: .hours(0), app: "com.example.other", in: store)
        #expect(try await due(store, at: .hours(1)).isEmpty)
        #expect(try await store.histories.find(.sample(transaction: "3")) == .unknown)
    }

    @Test("News set the time anew, by what they say", arguments: HistoryStoreUnderTest.allCases)
    func news(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let (chain, longer) = (PurchaseChain.sample("1"), PurchaseChain.sample("1", periods: 0..<2))
        let first = try #require(PollSchedule.next(for: chain, after: .testNow))
        let second = try #require(PollSchedule.next(for: longer, after: .hours(719)))
        #expect(first < second)
        _ = try await store.histories.apply(.sample([chain, .consumable("2")]))
        #expect(try await due(store, at: first.advanced(by: -1)).isEmpty)
        #expect(try await due(store, at: first) == ["1"])
        _ = try await store.histories.apply(.sample([longer], at: .hours(719)))
        #expect(try await due(store, at: second.advanced(by: -1)).isEmpty)
        #expect(try await due(store, at: second) == ["1"])
        // A repetition is no news.
        try await schedule("1", at: nil, in: store)
        _ = try await store.histories.apply(.sample([longer], at: .hours(720)))
        #expect(try await due(store, at: .hours(99999)).isEmpty)
    }

    @Test("A subscription that was asked about is due again by what is known of it", arguments: HistoryStoreUnderTest.allCases)
    func asked(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let chain = PurchaseChain.sample("1")
        _ = try await store.histories.apply(.sample([chain, .consumable("2")]))
        let asked = Instant.hours(721)
        for id in ["1", "2", "3"] {
            try await schedule(id, at: .hours(0), in: store)
            let target = PollTarget(partition: "com.example.app", originalTransactionID: id, dueAt: .testNow)
            try await store.histories.scheduleNextPolling(of: target, askedAt: asked)
        }
        let next = try #require(PollSchedule.next(for: chain, after: asked, lastAsked: asked))
        #expect(next != PollSchedule.next(for: chain, after: asked))
        #expect(try await due(store, at: next.advanced(by: -1)).isEmpty)
        #expect(try await due(store, at: next) == ["1"])
        #expect(try await due(store, at: .hours(99999)) == ["1"])
    }
}
