import EligibilityRules
import Foundation
import OfferStore
import OfferStoreTesting
import Testing

@Suite("Event contract")
struct EventContractTests {
    private static let now = Instant(milliseconds: 100)

    /// A store, and what keeps it alive.
    private func store(_ implementation: SigningStoreUnderTest) throws -> (events: any EventStore, folder: TemporaryFolder) {
        let (store, folder) = try implementation.make()
        return (store.events, folder)
    }

    private func due(_ events: any EventStore, at now: Int64 = 1000, limit: Int = 100) async throws -> [EventDelivery] {
        try await events.due(endpoint: "shop", at: Instant(milliseconds: now), limit: limit)
    }

    @Test("A delivery is what was added, and its attempts come back in order", arguments: SigningStoreUnderTest.allCases)
    func wholeDelivery(_ implementation: SigningStoreUnderTest) async throws {
        let (events, folder) = try store(implementation)
        defer { withExtendedLifetime(folder) {} }
        let event = ServiceEvent.sample(data: #"{"offerId":"\u0000ä"}"#)
        try await events.add(event, to: ["shop", "mail"], now: Self.now)
        let first = try #require(try await due(events).first)
        #expect(first.event == event)
        #expect(first.endpoint == "shop" && first.state == .pending && first.attempts == 0)
        #expect(first.dueAt == Self.now && first.lastAttempt == nil)
        let failure = EventAttemptOutcome.sample(first.number, .pending, at: 150, dueAt: 200)
        let success = EventAttemptOutcome.sample(first.number, .delivered, at: 210)
        try await events.record([failure])
        #expect(try await due(events, at: 199).isEmpty)
        #expect(try await due(events, at: 200).map(\.attempts) == [1])
        try await events.record([success])
        let last = try #require(try await events.delivery(first.number))
        #expect(last.state == .delivered && last.attempts == 2 && last.dueAt == nil && last.lastAttempt == success.attempt)
        #expect(try await events.attempts(of: first.number) == [failure.attempt, success.attempt])
        // What ended stays.
        try await events.record([.sample(first.number, .failed)])
        #expect(try await events.delivery(first.number) == last)
        #expect(try await events.delivery(last.number + 1000) == nil)
        let none = ServiceEvent.sample(of: nil, key: "key/K", app: nil)
        try await events.add(none, to: ["shop"], now: Self.now)
        #expect(try await due(events).map(\.event) == [none])
    }

    @Test("Of one ordering key only the oldest pending one is due", arguments: SigningStoreUnderTest.allCases)
    func order(_ implementation: SigningStoreUnderTest) async throws {
        let (events, folder) = try store(implementation)
        defer { withExtendedLifetime(folder) {} }
        for at in 1...3 {
            for customer in ["a", "b"] {
                try await events.add(.sample(of: customer, at: Int64(at)), to: ["shop", "mail"], now: Self.now)
            }
        }
        func dueNames(at now: Int64 = 1000) async throws -> [String] {
            try await due(events, at: now).map { "\($0.event.orderingKey)\($0.event.at.milliseconds)" }
        }
        #expect(try await dueNames() == ["a1", "b1"])
        let numbers = try await due(events).map(\.number)
        try await events.record([.sample(numbers[0], .pending, dueAt: 5000), .sample(numbers[1])])
        #expect(try await dueNames() == ["b2"])
        #expect(try await dueNames(at: 5000) == ["b2", "a1"])
        #expect(try await due(events, at: 5000, limit: 1).count == 1)
        try await events.record([.sample(numbers[0], .failed)])
        #expect(Set(try await dueNames()) == ["a2", "b2"])
        // The first ones take their places again.
        #expect(try await events.replay(numbers + [9999], at: Instant(milliseconds: 900)) == 2)
        #expect(Set(try await dueNames()) == ["a1", "b1"])
        let again = try #require(try await events.delivery(numbers[0]))
        #expect(again.attempts == 0 && again.dueAt == Instant(milliseconds: 900) && again.lastAttempt != nil)
        try await events.record(numbers.map { .sample($0) })
        #expect(Set(try await dueNames()) == ["a2", "b2"])
    }

    @Test("A disabled endpoint waits, and its state is told", arguments: SigningStoreUnderTest.allCases)
    func disabled(_ implementation: SigningStoreUnderTest) async throws {
        let (events, folder) = try store(implementation)
        defer { withExtendedLifetime(folder) {} }
        for at in [7, 5] { try await events.add(.sample(of: "\(at)", at: Int64(at)), to: ["shop", "mail"], now: Self.now) }
        let shop = try await due(events).map(\.number)
        try await events.record([.sample(shop[1], .failed)])
        #expect(try await events.setDisabled("shop", at: Instant(milliseconds: 300)))
        #expect(try await !events.setDisabled("shop", at: Instant(milliseconds: 301)))
        try await events.setDisabled("zoo", at: Instant(milliseconds: 400))
        #expect(try await due(events).isEmpty)
        func state(_ endpoint: String, _ disabledAt: Int64?, pending: Int, failed: Int, _ oldest: Int64?) -> EventEndpointState {
            EventEndpointState(
                endpoint: endpoint, disabledAt: disabledAt.map(Instant.init(milliseconds:)), pending: pending, failed: failed,
                oldestPending: oldest.map(Instant.init(milliseconds:)))
        }
        #expect(
            try await events.endpoints() == [
                state("mail", nil, pending: 2, failed: 0, 7), state("shop", 300, pending: 1, failed: 1, 7),
                state("zoo", 400, pending: 0, failed: 0, nil),
            ])
        try await events.setDisabled("shop", at: nil)
        try await events.setDisabled("zoo", at: nil)
        #expect(try await due(events).count == 1)
        #expect(try await events.endpoints().map(\.endpoint) == ["mail", "shop"])
    }

    @Test("Deliveries are listed by filter, the latest first", arguments: SigningStoreUnderTest.allCases)
    func list(_ implementation: SigningStoreUnderTest) async throws {
        let (events, folder) = try store(implementation)
        defer { withExtendedLifetime(folder) {} }
        try await events.add(.sample("offer.signed", of: "a", at: 1), to: ["shop"], now: Self.now)
        try await events.add(.sample("offer.refused", of: "b", app: "org.other#Sandbox", at: 2), to: ["shop"], now: Self.now)
        try await events.add(.sample("key.staged", of: nil, app: nil, at: 3), to: ["mail"], now: Self.now)
        func times(_ filter: EventFilter, before: Int64? = nil, limit: Int = 10) async throws -> [Int64] {
            try await events.deliveries(filter, before: before, limit: limit).map(\.event.at.milliseconds)
        }
        #expect(try await times(EventFilter()) == [3, 2, 1])
        #expect(try await times(EventFilter(), limit: 2) == [3, 2])
        let second = try await events.deliveries(EventFilter(), before: nil, limit: 2)[1].number
        #expect(try await times(EventFilter(), before: second) == [1])
        #expect(try await times(EventFilter(endpoint: "mail")) == [3])
        #expect(try await times(EventFilter(type: "offer.refused")) == [2])
        #expect(try await times(EventFilter(customerID: "a")) == [1])
        #expect(try await times(EventFilter(apps: ["org.other"])) == [2])
        #expect(try await times(EventFilter(apps: [])) == [])
        try await events.record([.sample(second)])
        #expect(try await times(EventFilter(state: .delivered)) == [2])
        #expect(try await times(EventFilter(endpoint: "shop", state: .pending)) == [1])
    }

    @Test("Old deliveries that ended are deleted, with what is left of nothing", arguments: SigningStoreUnderTest.allCases)
    func prune(_ implementation: SigningStoreUnderTest) async throws {
        let (events, folder) = try store(implementation)
        defer { withExtendedLifetime(folder) {} }
        for at in 1...5 { try await events.add(.sample(of: "\(at)", at: Int64(at)), to: ["shop", "mail"], now: Self.now) }
        let numbers = try await due(events).map(\.number)
        try await events.record([
            .sample(numbers[0], at: 20), .sample(numbers[1], .failed, at: 21), .sample(numbers[2], at: 22),
            .sample(numbers[3], .pending, at: 1, dueAt: 200),
        ])
        #expect(try await events.prune(before: Instant(milliseconds: 22), keeping: ["shop", "mail"], limit: 1) == 1)
        #expect(try await events.prune(before: Instant(milliseconds: 22), keeping: ["shop", "mail"], limit: 10) == 1)
        #expect(try await events.prune(before: Instant(milliseconds: 22), keeping: ["shop", "mail"], limit: 10) == 0)
        #expect(try await events.delivery(numbers[0]) == nil)
        #expect(try await events.attempts(of: numbers[0]).isEmpty)
        #expect(try await events.deliveries(EventFilter(), before: nil, limit: 100).count == 8)
        // What waits for an endpoint that is not there any more: of the first four events, by their own time.
        #expect(try await events.prune(before: Instant(milliseconds: 5), keeping: ["shop"], limit: 10) == 4)
        #expect(try await events.deliveries(EventFilter(endpoint: "mail"), before: nil, limit: 100).count == 1)
    }

    @Test(
        "Erasing a subscription's previous customer blanks the event, which keeps its place",
        arguments: SigningStoreUnderTest.allCases)
    func previousCustomer(_ implementation: SigningStoreUnderTest) async throws {
        let (events, folder) = try store(implementation)
        defer { withExtendedLifetime(folder) {} }
        try await events.add(.sample(of: "b", at: 1), to: ["shop"], now: Self.now)
        try await events.add(.sample("subscription.transferred", of: "b", from: "a", at: 2), to: ["shop"], now: Self.now)
        #expect(try await events.deliveries(EventFilter(), before: nil, limit: 1)[0].event.previousCustomerID == "a")
        #expect(try await events.erase(customerIDs: ["a"], bundleID: "com.example.app") == 1)
        let blank = try await events.deliveries(EventFilter(), before: nil, limit: 1)[0].event
        #expect(blank.data == Array("{}".utf8) && blank.previousCustomerID == nil && blank.customerID == "b")
        let first = try await due(events)
        #expect(first.map(\.event.at.milliseconds) == [1])
        try await events.record([.sample(first[0].number)])
        #expect(try await due(events).map(\.event.at.milliseconds) == [2])
    }

    @Test("The events of an erased customer lose data and name, and keep their order", arguments: SigningStoreUnderTest.allCases)
    func erasure(_ implementation: SigningStoreUnderTest) async throws {
        let (events, folder) = try store(implementation)
        defer { withExtendedLifetime(folder) {} }
        let partition: AppPartition = "com.example.app"
        for at in 1...2 {
            try await events.add(.sample(of: "a", at: Int64(at)), to: ["shop", "mail"], now: Self.now)
            try await events.add(.sample(of: nil, key: partition.orderingKey("2000"), at: Int64(at)), to: ["shop"], now: Self.now)
            try await events.add(.sample(of: "a", app: "org.other", at: Int64(at)), to: ["mail"], now: Self.now)
        }
        try await events.add(.sample(of: "c"), to: ["shop"], now: Self.now)
        #expect(try await events.erase(customerIDs: ["a", "b", "2000"], bundleID: "com.example.app") == 4)
        #expect(try await events.erase(customerIDs: ["a", "b", "2000"], bundleID: "com.example.app") == 0)
        #expect(try await events.deliveries(EventFilter(customerID: "a"), before: nil, limit: 10).count == 2)
        let first = try await due(events)
        #expect(first.count == 3)
        let blank = first.filter { $0.event.data == Array("{}".utf8) }
        #expect(blank.count == 2 && blank.allSatisfy { $0.event.customerID == nil && $0.event.at.milliseconds == 1 })
        #expect(blank.allSatisfy { !$0.event.orderingKey.contains("2000") && $0.event.orderingKey != "a" })
        try await events.record(blank.map { .sample($0.number) })
        #expect(try await due(events).filter { $0.event.at.milliseconds == 2 }.count == 2)
    }
}
