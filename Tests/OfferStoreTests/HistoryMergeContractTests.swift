import EligibilityRules
import OfferStore
import OfferStoreTesting
import Testing

@Suite("History contract: merging")
struct HistoryMergeContractTests {
    private static let revoked = PurchaseTransaction(
        id: "1001", productID: "pro.monthly", purchasedAt: .hours(720),
        state: .init(revocation: Stamped(.revoked(at: .hours(800)), Stamp(asOf: .hours(900), source: .notificationV1))))

    /// Statements about two subscriptions, some of which contradict each other.
    private static let changes: [HistoryChange] = [
        .sample([.sample("10", periods: 1..<3), .sample("20", token: "t")], of: "ada", at: .hours(1)),
        .sample([.sample("10", periods: 0..<2, asOf: .hours(5))], of: "ada", at: .hours(2)),
        .sample([PurchaseChain(originalID: "10", groupID: "e\u{301}", transactions: [revoked])], at: .hours(3)),
        .sample([PurchaseChain(originalID: "10", groupID: "\u{E9}", isListedFromStart: true), .sample("20", periods: 0..<2)]),
        .sample(
            [
                PurchaseChain(
                    originalID: "20",
                    account: .init(appAccountToken: Stamped(ExactText("u"), Stamp(asOf: .hours(9000), source: .signedData))))
            ], of: "ada"),
    ]

    @Test("Neither order, repetition nor a restart makes a difference", arguments: HistoryStoreUnderTest.allCases)
    func permutations(_ implementation: HistoryStoreUnderTest) async throws {
        let expected = PurchaseHistory(Self.changes.flatMap(\.chains))
        let orders = permutations(of: Array(Self.changes.indices))
        #expect(orders.count == 120)
        let first = try implementation.make()
        defer { withExtendedLifetime(first) {} }
        // Each order has an app of its own.
        func change(_ index: Int, _ app: Int) -> HistoryChange {
            let change = Self.changes[index]
            return .sample(change.chains, of: change.customerID, app: "app \(app)", at: change.receivedAt)
        }
        for (app, order) in orders.enumerated() {
            _ = try await first.histories.applyAll(order.prefix(3).map { change($0, app) })
        }
        let second = try first.reopened()
        for (app, order) in orders.enumerated() {
            for index in order.dropFirst(2) { _ = try await second.histories.apply(change(index, app)) }
        }
        let third = try second.reopened()
        for (app, order) in orders.enumerated() {
            let stored = try await third.histories.wholeHistory(of: .sample(customer: "ada", app: "app \(app)"))
            #expect(stored.history == expected, "order \(order)")
            // Canonically equivalent texts are equal in Swift, and the one with the later bytes is to stay.
            #expect(stored.history.chains.first?.groupID.map { ExactText($0) } == "\u{E9}", "order \(order)")
            let again = try await third.histories.applyAll(order.map { change($0, app) })
            #expect(again == order.map { .merged(Self.changes[$0].chains.map { _ in .unchanged }) })
            for (id, chain) in [("1002", "10"), ("1001", "10"), ("2001", "20")] {
                let found = try await third.histories.find(.sample(transaction: id, app: "app \(app)"))
                #expect(found.history.chains.contains { $0.originalID == chain })
            }
        }
    }

    private func permutations(of elements: [Int]) -> [[Int]] {
        guard elements.count > 1 else { return [elements] }
        return elements.flatMap { first in permutations(of: elements.filter { $0 != first }).map { [first] + $0 } }
    }

    @Test("Random statements end where merging them in memory does", arguments: HistoryStoreUnderTest.allCases)
    func randomStatements(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        for seed in 0..<100 as Range<UInt64> {
            var chains = RandomChains(seed: seed, instants: .plausible)
            let app: AppPartition = "app \(seed)"
            let statements = (0..<6).map { _ in chains.next(originalID: ["1", "x"].randomElement(using: &chains.random)!) }
            let shuffled = (statements + statements.prefix(3)).shuffled(using: &chains.random)
            _ = try await store.histories.applyAll(shuffled.prefix(5).map { .sample([$0], of: "ada", app: app) })
            for chain in shuffled.dropFirst(5) { _ = try await store.histories.apply(.sample([chain], of: "ada", app: app)) }
            let stored = try await store.histories.wholeHistory(of: .sample(customer: "ada", app: app))
            #expect(stored.history == PurchaseHistory(statements), "seed \(seed)")
        }
    }

    @Test("What is known changes nothing, and the time of the last change stays", arguments: HistoryStoreUnderTest.allCases)
    func idempotence(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let histories = store.histories
        let chain = PurchaseChain.sample("1", periods: 0..<3)
        #expect(try await histories.apply(.sample([chain])) == .merged([.changed]))
        #expect(try await histories.apply(.sample([chain], at: .hours(1))) == .merged([.unchanged]))
        #expect(try await histories.apply(.sample([.sample("1")], at: .hours(1))) == .merged([.unchanged]))
        #expect(try await histories.find(.sample(transaction: "1")).updatedAt == .testNow)
        #expect(try await histories.apply(.sample([chain], of: "ada", at: .hours(2))) == .merged([.changed]))
        #expect(try await histories.apply(.sample([chain], at: .hours(3))) == .merged([.unchanged]))
        #expect(try await histories.find(.sample(customer: "ada")).updatedAt == .hours(2))
    }

    @Test("Of a change with another customer's subscription the rest goes in", arguments: HistoryStoreUnderTest.allCases)
    func conflict(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let histories = store.histories
        _ = try await histories.apply(.sample([.sample("1")], of: "ada"))
        let change = HistoryChange.sample(
            [.sample("2"), .sample("1", periods: 0..<2, token: "t"), .sample("3"), .sample("2")], of: "bob", at: .hours(1))
        #expect(try await histories.apply(change) == .merged([.changed, .boundToAnotherCustomer, .changed, .unchanged]))
        #expect(try await histories.ids(.sample(customer: "bob")) == ["2", "3"])
        let kept = try await histories.wholeHistory(of: .sample(customer: "ada"))
        #expect(kept == StoredHistory(history: PurchaseHistory([.sample("1")]), customerID: "ada", updatedAt: .testNow))
        #expect(try await histories.find(.sample(transaction: "101")) == .unknown)
        // A source that does not say whose it is may still add to it.
        #expect(try await histories.apply(.sample([.sample("1", periods: 0..<2)])) == .merged([.changed]))
    }

    @Test("Many changes of one subscription at once lose nothing", arguments: HistoryStoreUnderTest.allCases)
    func concurrency(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        let histories = store.histories
        let outcomes = try await withThrowingTaskGroup(of: HistoryOutcome.self) { group in
            for period in 0..<100 {
                group.addTask {
                    let id = period % 2 == 0 ? "1" : "2"
                    return try await histories.apply(.sample([.sample(id, periods: period / 2..<period / 2 + 1)], of: "ada"))
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes == Array(repeating: .merged([.changed]), count: 100))
        let expected = PurchaseHistory([.sample("1", periods: 0..<50), .sample("2", periods: 0..<50)])
        #expect(try await histories.wholeHistory(of: .sample(customer: "ada")).history == expected)
        for id in ["101", "149", "201", "249"] {
            #expect(try await histories.ids(.sample(transaction: id)) == ["1", "2"])
        }
    }

    @Test("No change at all is no error", arguments: HistoryStoreUnderTest.allCases)
    func nothing(_ implementation: HistoryStoreUnderTest) async throws {
        let store = try implementation.make()
        defer { withExtendedLifetime(store) {} }
        #expect(try await store.histories.applyAll([]).isEmpty)
        let found = try await withCheckedContinuation { continuation in
            store.histories.find([]) { continuation.resume(returning: $0) }
        }.get()
        #expect(found.isEmpty)
    }
}
