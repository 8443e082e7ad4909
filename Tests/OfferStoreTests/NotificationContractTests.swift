import EligibilityRules
import OfferStore
import OfferStoreTesting
import TestRandomness
import Testing

@Suite("History contract: notifications")
struct NotificationContractTests {
    private func record(
        _ key: String,
        about id: String? = "1",
        subtype: String? = nil,
        body: [UInt8] = [1],
        at receivedAt: Instant = .testNow
    ) -> NotificationRecord {
        NotificationRecord(
            key: Array(key.utf8), version: 2, type: "DID_RENEW", subtype: subtype, originalTransactionID: id, body: body,
            receivedAt: receivedAt)
    }

    private func notifications(_ id: String, in store: any StoreFixture) async throws -> [NotificationRecord] {
        try await store.histories.wholeNotifications(partition: "com.example.app", originalTransactionID: id)
    }

    @Test("A known notification changes nothing", arguments: HistoryStoreUnderTest.allCases)
    func repetition(_ implementation: HistoryStoreUnderTest) async throws {
        let first = try implementation.make()
        defer { withExtendedLifetime(first) {} }
        let notification = record("a")
        #expect(
            try await first.histories.apply(.sample([.sample("1")], notification: notification)) == .merged([.changed]))
        let store = try first.reopened()
        let other = HistoryChange.sample(
            [.sample("1", periods: 0..<2), .sample("2")], of: "ada", notification: record("a", body: [2]), at: .hours(1))
        #expect(try await store.histories.apply(other) == .knownNotification)
        #expect(try await store.histories.applyAll([other, other]) == [.knownNotification, .knownNotification])
        #expect(try await notifications("1", in: store) == [notification])
        for (key, partition, isKnown) in [("a", "com.example.app", true), ("b", "com.example.app", false), ("a", "other", false)]
        {
            let partition = AppPartition(name: partition)
            #expect(try await store.histories.hasNotification(key: Array(key.utf8), partition: partition) == isKnown)
        }
        #expect(try await store.histories.find(.sample(customer: "ada")) == .unknown)
        let stored = try await store.histories.wholeHistory(of: .sample(transaction: "1"))
        #expect(stored == StoredHistory(history: PurchaseHistory([.sample("1")]), updatedAt: .testNow))
        // The same key of another app is another notification.
        let elsewhere = HistoryChange.sample([.sample("1")], app: "com.example.other", notification: notification)
        #expect(try await store.histories.apply(elsewhere) == .merged([.changed]))
    }

    @Test("Of the same notification many times at once, one is taken", arguments: HistoryStoreUnderTest.allCases)
    func race(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let histories = store.histories
        let taken = try await withThrowingTaskGroup(of: Bool.self) { group in
            for period in 0..<50 {
                group.addTask {
                    let change = HistoryChange.sample([.sample("1", periods: period..<period + 1)], notification: record("a"))
                    return try await histories.apply(change) != .knownNotification
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(taken == 1)
        #expect(try await notifications("1", in: store).count == 1)
        #expect(try await histories.wholeHistory(of: .sample(transaction: "1")).history.chains.first?.transactions.count == 1)
    }

    @Test("Notifications come back byte by byte, in the order they came", arguments: HistoryStoreUnderTest.allCases)
    func order(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        var random = SplitMix64(seed: 7)
        let bodies: [[UInt8]] = [[], [0], Array(0...255), (0..<200_000).map { _ in UInt8(truncatingIfNeeded: random.next()) }]
        let records = bodies.enumerated().map { index, body in
            record("\(index)", subtype: index % 2 == 0 ? nil : "ä\u{301}", body: body, at: .hours(Int64(index)))
        }
        // Two of one instant, in one call, and one that was received earlier but stored later.
        let twins = [record("z", body: [9]), record("y", body: [8])].map { twin in
            record(String(decoding: twin.key, as: UTF8.self), body: twin.body, at: .hours(9))
        }
        _ = try await store.histories.applyAll((records.dropFirst() + twins + [records[0]]).map { .sample([], notification: $0) })
        #expect(try await notifications("1", in: store) == records + twins)
        let reopened = try store.reopened()
        #expect(try await notifications("1", in: reopened) == records + twins)
    }

    @Test(
        "Of notifications since which enough was served the content goes, the oldest first, and they are known all the same",
        arguments: HistoryStoreUnderTest.allCases)
    func retention(_ implementation: HistoryStoreUnderTest) async throws {
        let hour: Int64 = 3_600_000
        var store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        // What clocks said when they came tells nothing; one has no content, and one is about no subscription.
        func add(_ key: String, about id: String? = "1", body: [UInt8] = [1], at instant: Instant = .testNow) async throws {
            _ = try await store.histories.apply(.sample([], notification: record(key, about: id, body: body, at: instant)))
        }
        func blank(after hours: Int64, limit: Int = 9) async throws -> Int {
            try await store.histories.blankNotifications(servedSince: 10 * hour, of: hours * hour, limit: limit)
        }
        func content() async throws -> Set<String> {
            Set(
                try await notifications("1", in: store).filter { !$0.body.isEmpty }.map {
                    String(decoding: $0.key, as: UTF8.self)
                })
        }
        try await add("a", at: .hours(99_999))
        try await add("none", about: nil)
        try await add("empty", body: [])
        #expect(try await blank(after: 100) == 0)
        try await add("b", at: .hours(-99_999))
        // Within the hour of the mark before: it counts from the next one on.
        #expect(try await blank(after: 100) == 0)
        #expect(try await blank(after: 105) == 0)
        try await add("c")
        store = try store.reopened()
        #expect(try await blank(after: 109) == 0)
        #expect(try await content() == ["a", "b", "c"])
        #expect(try await blank(after: 110, limit: 2) == 2)
        #expect(try await content() == ["b", "c"])
        #expect(try await blank(after: 110) == 1)
        #expect(try await blank(after: 114) == 0)
        #expect(try await blank(after: 115) == 1)
        #expect(try await content() == ["c"])
        // Of a ledger that was replaced nothing is old.
        #expect(try await blank(after: 1) == 0)
        #expect(try await blank(after: 10) == 0)
        #expect(try await content() == ["c"])
        #expect(try await blank(after: 11) == 1)
        #expect(try await content() == [])
        for key in ["a", "b", "c", "empty"] {
            #expect(try await store.histories.apply(.sample([], notification: record(key))) == .knownNotification)
        }
    }

    @Test("A content of megabytes is kept whole, and counts for many when it goes", arguments: HistoryStoreUnderTest.allCases)
    func largeContent(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let (large, hour) = ([UInt8](repeating: 7, count: 16 << 20), Int64(3_600_000))
        for (key, body) in [("a", [1]), ("b", large), ("c", large), ("d", [2])] {
            let change = HistoryChange.sample([], notification: record(key, body: body))
            #expect(try await store.histories.apply(change) == .merged([]))
        }
        #expect(try await notifications("1", in: store).map(\.body) == [[1], large, large, [2]])
        func blank() async throws -> Int {
            try await store.histories.blankNotifications(servedSince: 0, of: hour, limit: 10)
        }
        // One large content fills a slice, and a slice that is full says that more may be due.
        #expect(try await blank() == 1 + 257)
        #expect(try await notifications("1", in: store).map(\.body) == [[], [], large, [2]])
        #expect(try await blank() == 257)
        #expect(try await blank() == 1)
        #expect(try await notifications("1", in: store).map(\.body) == [[], [], [], []])
    }

    @Test(
        "Notifications are found by their subscription, whatever its id, and kept where they name none",
        arguments: HistoryStoreUnderTest.allCases)
    func subscriptions(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let ids = ["7", "007", "9223372036854775808", "x"]
        for id in ids { _ = try await store.histories.apply(.sample([], notification: record("of \(id)", about: id))) }
        let test = HistoryChange.sample([], notification: record("test", about: nil))
        #expect(try await store.histories.apply(test) == .merged([]))
        #expect(try await store.histories.apply(test) == .knownNotification)
        for id in ids { #expect(try await notifications(id, in: store) == [record("of \(id)", about: id)]) }
        #expect(try await notifications("8", in: store).isEmpty)
        #expect(
            try await store.histories.wholeNotifications(partition: "com.example.other", originalTransactionID: "7").isEmpty)
    }

    @Test("A notification about another customer's subscription is kept all the same", arguments: HistoryStoreUnderTest.allCases)
    func conflict(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        _ = try await store.histories.apply(.sample([.sample("1")], of: "ada"))
        let change = HistoryChange.sample([.sample("1", periods: 0..<2)], of: "bob", notification: record("a"))
        #expect(try await store.histories.apply(change) == .merged([.boundToAnotherCustomer]))
        #expect(try await notifications("1", in: store) == [record("a")])
    }
}
