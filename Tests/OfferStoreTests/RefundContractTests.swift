import EligibilityRules
import OfferStore
import OfferStoreTesting
import Testing

@Suite("Contract: refund requests")
struct RefundContractTests {
    private static let app: AppPartition = "com.example.app"

    private func request(
        _ notification: String,
        of transaction: String = "1",
        chain: String = "1",
        reason: String? = "UNINTENDED_PURCHASE",
        at instant: Instant = .testNow
    ) -> RefundRequest {
        RefundRequest(
            notification: Array(notification.utf8), transactionID: transaction, originalTransactionID: chain,
            productID: "pro.monthly", reason: reason, isAdvancedCommerce: notification == "advanced", requestedAt: instant)
    }

    private func change(
        _ request: RefundRequest,
        of customerID: String? = nil,
        app: AppPartition = app
    ) -> HistoryChange {
        var change = HistoryChange(
            partition: app, claim: CustomerClaim(customerID, .vouched), chains: [.sample(request.originalTransactionID)],
            notification: NotificationRecord(
                key: request.notification, version: 2, type: "CONSUMPTION_REQUEST", subtype: nil,
                originalTransactionID: request.originalTransactionID, body: [1], receivedAt: .testNow),
            receivedAt: .testNow)
        change.refund = request
        return change
    }

    private func claim(
        _ store: any StoreFixture,
        at now: Instant = .testNow,
        limit: Int = 100,
        app: AppPartition = app
    ) async throws -> [RefundRecord] {
        try await store.refunds.claim(partition: app, dueAt: now, until: now.advanced(by: 1000), limit: limit)
    }

    private func all(_ store: any StoreFixture, transaction: String? = nil, limit: Int = 100) async throws -> [RefundRecord] {
        try await store.refunds.requests(partition: Self.app, transactionIDs: transaction.map { [$0, "another"] }, limit: limit)
    }

    @Test("A request is stored with its notification, and once", arguments: HistoryStoreUnderTest.allCases)
    func storing(_ implementation: HistoryStoreUnderTest) async throws {
        let first = try implementation.make()
        defer { withExtendedLifetime(first) {} }
        #expect(try await claim(first).isEmpty)
        #expect(try await all(first).isEmpty)
        _ = try await first.histories.applyAll([change(request("a")), change(request("a", reason: nil, at: .hours(1)))])
        let store = try first.reopened()
        #expect(try await store.histories.apply(change(request("a", of: "9", at: .hours(2)))) == .knownNotification)
        _ = try await store.histories.apply(change(request("advanced", of: "2", chain: "2", reason: nil, at: .hours(3))))
        let (one, two) = (request("a"), request("advanced", of: "2", chain: "2", reason: nil, at: .hours(3)))
        #expect(one.deadline == .hours(12))
        #expect(try await all(store).map(\.request) == [two, one])
        #expect(try await all(store, transaction: "1").map(\.request) == [one])
        #expect(try await all(store, limit: 1).map(\.request) == [two])
        #expect(
            try await all(store).map(\.progress) == [
                RefundProgress(state: .waiting, dueAt: .hours(3)), RefundProgress(state: .waiting, dueAt: .testNow),
            ])
        #expect(try await claim(store).map(\.request) == [one])
        #expect(try await claim(store, app: "com.example.other").isEmpty)
    }

    @Test("Each due request goes to one of many claimants, the longest due first", arguments: HistoryStoreUnderTest.allCases)
    func claiming(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        for number in 0..<20 {
            _ = try await store.histories.apply(
                change(request("\(number)", of: "\(number)", chain: "\(number)", at: .hours(Int64(20 - number)))))
        }
        #expect(try await claim(store, at: .hours(2), limit: 1).map(\.request.transactionID) == ["19"])
        let claimed = try await withThrowingTaskGroup(of: [RefundRecord].self) { group in
            for _ in 0..<8 { group.addTask { try await claim(store, at: .hours(99), limit: 5) } }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(claimed.map(\.request.transactionID).sorted() == (0..<20).map { "\($0)" }.sorted())
        // The claims of a process that has died end.
        #expect(try await claim(store, at: .hours(99).advanced(by: 999)).isEmpty)
        #expect(try await claim(store, at: .hours(99).advanced(by: 1000)).count == 20)
    }

    @Test("What becomes of a request is kept, and what is settled stays so", arguments: HistoryStoreUnderTest.allCases)
    func progress(_ implementation: HistoryStoreUnderTest) async throws {
        let first = try implementation.make()
        defer { withExtendedLifetime(first) {} }
        _ = try await first.histories.apply(change(request("a")))
        let record = try #require(try await claim(first).first)
        let failed = RefundProgress(state: .waiting, detail: "app-store-unavailable", attempts: 3, dueAt: .hours(1))
        try await first.refunds.note(failed, of: record)
        #expect(try await claim(first, at: .hours(1).advanced(by: -1)).isEmpty)
        let again = try #require(try await claim(first, at: .hours(1)).first)
        #expect(again.progress == failed)
        let answered = RefundProgress(
            state: .answered, policy: "early", answer: #"{"é":1}"#, attempts: 3, settledAt: .hours(2))
        try await first.refunds.note(answered, of: again)
        let store = try first.reopened()
        for late in [failed, RefundProgress(state: .expired, settledAt: .hours(3))] {
            try await store.refunds.note(late, of: again)
        }
        #expect(try await all(store).map(\.progress) == [answered])
        #expect(try await claim(store, at: .hours(99_999)).isEmpty)
    }

    @Test("The latest statement under any name is the customer's consent", arguments: HistoryStoreUnderTest.allCases)
    func consent(_ implementation: HistoryStoreUnderTest) async throws {
        let first = try implementation.make()
        defer { withExtendedLifetime(first) {} }
        func state(_ isGiven: Bool, _ name: String, _ hours: Int64) async throws {
            try await first.refunds.state(
                ConsumptionConsent(isGiven: isGiven, statedAt: .hours(hours)), of: name, partition: Self.app)
        }
        #expect(try await first.refunds.consent(of: ["ada"], partition: Self.app) == nil)
        try await state(true, "ada", 1)
        try await state(false, "ada", 2)
        try await state(true, "Ada", 3)
        try await state(true, "eva", 2)
        let store = try first.reopened()
        for (names, isGiven) in [(["ada"], false), (["Ada"], true), (["ada", "Ada"], true), (["ada", "eva"], false)] {
            #expect(try await store.refunds.consent(of: names, partition: Self.app)?.isGiven == isGiven, "\(names)")
        }
        #expect(try await store.refunds.consent(of: ["bob"], partition: Self.app) == nil)
        #expect(try await store.refunds.consent(of: ["ada"], partition: "com.example.other") == nil)
    }

    @Test("An erased customer's requests and consents go, and no one else's", arguments: HistoryStoreUnderTest.allCases)
    func erasure(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        _ = try await store.histories.applyAll([
            change(request("a", of: "101"), of: "ada"), change(request("b", of: "2", chain: "2"), of: "eva"),
            change(request("a"), app: "com.example.other"),
        ])
        _ = try await store.histories.join(alias: "anon", into: "ada", partition: Self.app, now: .testNow)
        for name in ["ada", "anon", "eva"] {
            try await store.refunds.state(
                ConsumptionConsent(isGiven: true, statedAt: .testNow), of: name, partition: Self.app)
        }
        _ = try await store.histories.erase(customerID: "ada", partition: Self.app, now: .hours(1))
        #expect(try await all(store).map(\.request.transactionID) == ["2"])
        #expect(try await claim(store, app: "com.example.other").count == 1)
        #expect(try await store.refunds.consent(of: ["ada", "anon"], partition: Self.app) == nil)
        #expect(try await store.refunds.consent(of: ["eva"], partition: Self.app) != nil)
        // The notification is known all the same.
        #expect(try await store.histories.apply(change(request("a"))) == .knownNotification)
        #expect(try await all(store).count == 1)
    }

    @Test("A request goes when its notification's content goes", arguments: HistoryStoreUnderTest.allCases)
    func retention(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let hour: Int64 = 3_600_000
        func sweep(_ served: Int64) async throws {
            _ = try await store.histories.blankNotifications(servedSince: 24 * hour, of: served, limit: 100)
        }
        _ = try await store.histories.apply(change(request("a")))
        try await sweep(hour)
        _ = try await store.histories.apply(change(request("b", of: "2", chain: "2")))
        try await sweep(24 * hour)
        #expect(try await all(store).count == 2)
        try await sweep(26 * hour)
        #expect(try await all(store).map(\.request.transactionID) == ["2"])
    }

    @Test(
        "A purchase that was only bound leads to its customer, a subscription or not", arguments: HistoryStoreUnderTest.allCases)
    func owner(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        _ = try await store.histories.applyAll([
            .sample([.consumable("7")]), .sample([.sample("1")]), .sample([.consumable("8")]),
        ])
        for id in ["7", "1", "9"] {
            _ = try await store.histories.bind(originalTransactionID: id, to: "ada", partition: Self.app, now: .hours(1))
        }
        for (id, owner) in [("7", "ada"), ("1", "ada"), ("8", nil)] as [(String, String?)] {
            #expect(try await store.histories.wholeHistory(of: .sample(transaction: id)).customerID == owner, "\(id)")
        }
        // Nothing is known of a purchase that no source has shown.
        let other = try implementation.make()
        defer { withExtendedLifetime(other) {} }
        _ = try await other.histories.bind(originalTransactionID: "9", to: "ada", partition: Self.app, now: .hours(1))
        #expect(try await other.histories.wholeHistory(of: .sample(transaction: "9")).customerID == nil)
    }
}
