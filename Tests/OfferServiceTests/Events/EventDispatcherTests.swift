import EligibilityRules
import Foundation
import OfferSigning
import OfferStore
import OfferStoreTesting
import ServiceLifecycle
import Synchronization
import Testing

@testable import OfferService

@Suite("Delivery of events", .timeLimit(.minutes(30)))
struct EventDispatcherTests {
    /// Endpoints that answer as the test says, and remember what they were asked.
    private final class Receivers: EventTransport {
        private let answers: Mutex<[String: [EventAnswer]]>
        let received = Mutex<[(endpoint: String, id: String)]>([])

        init(_ answers: [String: [EventAnswer]]) { self.answers = Mutex(answers) }

        func post(
            _ body: [UInt8],
            headers: [(name: String, value: String)],
            to endpoint: EventEndpoint
        ) async -> EventAnswer {
            received.withLock { $0.append((endpoint.name, headers.first { $0.name == "webhook-id" }!.value)) }
            if endpoint.name == "hangs" {
                try? await Task.sleep(for: .seconds(3600))
                return EventAnswer(noAnswer: "no complete response in time")
            }
            return answers.withLock { answers in
                guard let next = answers[endpoint.name]?.first else { return EventAnswer(status: 200, retryAfter: nil) }
                answers[endpoint.name]!.removeFirst()
                return next
            }
        }

        func ids(_ endpoint: String) -> [String] { received.withLock { $0.filter { $0.endpoint == endpoint }.map(\.id) } }
    }

    /// Whether the clock is trusted.
    private final class Trust: Sendable {
        let isGiven = Mutex(true)
    }

    private let trust = Trust()
    private let clock = ManualClock(Instant.testNow.milliseconds)
    private let log = RecordedLog()
    private let store = TemporaryStore()

    private func event(_ key: String, _ data: String = "{}") -> ServiceEvent {
        ServiceEvent(
            id: UUID(), type: "offer.signed", at: clock.now, partition: "com.example.app", orderingKey: key, customerID: key,
            data: Array(data.utf8))
    }

    /// - Parameter keep: in ms; ten years unless said, as a test on a busy machine may let days pass.
    private func serving(
        _ names: [String],
        _ receivers: Receivers,
        keep: Int64 = 10 * 365 * 86_400_000,
        while test: () async throws -> Void
    ) async throws {
        let secret = try WebhookSecretFile.sample()
        let dispatcher = EventDispatcher(
            endpoints: names.map { EventEndpoint(name: $0, url: "https://\($0).example", types: ["offer.*"], secrets: secret) },
            attempts: EventAttempts(
                store: store.events, transport: receivers,
                system: clock.environment, logger: log.logger, failures: log.makeFailureLog(), onAttempt: { _, _ in }),
            keep: keep, now: { [clock, trust] in trust.isGiven.withLock { $0 } ? clock.now : nil })
        try await ServiceGroup.serving(dispatcher, while: test)
    }

    /// Lets seconds pass until something holds.
    private func until(_ condition: () async throws -> Bool) async throws {
        while try await !condition() {
            clock.pass(1000)
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    private func states(_ endpoint: String) async throws -> [EventDelivery.State] {
        try await store.events.deliveries(EventFilter(endpoint: endpoint), before: nil, limit: 1000).map(\.state)
    }

    @Test("Events of one customer arrive in order, and an endpoint that hangs delays no other")
    func order() async throws {
        let receivers = Receivers(["works": [EventAnswer(status: 500, retryAfter: nil)]])
        let events = (0..<60).map { event("customer-\($0 % 3)") }
        for event in events { try await store.events.add(event, to: ["works", "hangs"], now: clock.now) }
        try await serving(["works", "hangs"], receivers) {
            try await until { try await states("works").allSatisfy { $0 == .delivered } }
        }
        for key in 0..<3 {
            let mine = events.filter { $0.orderingKey == "customer-\(key)" }.map { EventMessage($0).id }
            var arrived: [String] = []
            for id in receivers.ids("works") where mine.contains(id) && arrived.last != id { arrived.append(id) }
            #expect(arrived == mine)
        }
        // Three customers: no more than three requests at once, whatever is pending.
        #expect(receivers.ids("hangs").count == 3)
        #expect(try await states("hangs").allSatisfy { $0 == .pending })
    }

    @Test("After ten attempts an event has failed, the next one of the same customer is sent, and an operator is told")
    func failure() async throws {
        let receivers = Receivers(["crm": [EventAnswer](repeating: EventAnswer(status: 500, retryAfter: nil), count: 10)])
        for _ in 0..<2 { try await store.events.add(event("customer"), to: ["crm"], now: clock.now) }
        try await serving(["crm"], receivers) {
            while try await states("crm") != [.delivered, .failed] {
                let waiting = try await store.events.deliveries(EventFilter(state: .pending), before: nil, limit: 2)
                // To the next attempt, and a second at least: the dispatcher may have looked just before it was due.
                clock.pass(max(1000, waiting.compactMap(\.dueAt).max()?.milliseconds(since: clock.now) ?? 0))
                try await Task.sleep(for: .milliseconds(2))
            }
        }
        #expect(receivers.ids("crm").count == 11)
        #expect(log.lines.contains("error: an event was not delivered, and is not sent again"))
    }

    @Test("While the clock is not trusted, nothing is sent and nothing is deleted")
    func wrongClock() async throws {
        let receivers = Receivers([:])
        for key in ["first", "second"] { try await store.events.add(event(key), to: ["crm"], now: clock.now) }
        let number = try await store.events.deliveries(EventFilter(), before: nil, limit: 1)[0].number
        let attempt = EventAttempt(at: clock.now, milliseconds: 1, status: 200, fault: nil)
        try await store.events.record([EventAttemptOutcome(number: number, attempt: attempt, state: .delivered, dueAt: nil)])
        trust.isGiven.withLock { $0 = false }
        try await serving(["crm"], receivers, keep: 1000) {
            for _ in 0..<50 {
                clock.pass(3_600_000)
                try await Task.sleep(for: .milliseconds(1))
            }
            #expect(try await states("crm") == [.delivered, .pending] && receivers.ids("crm").isEmpty)
            trust.isGiven.withLock { $0 = true }
            // The old one is deleted, the other is sent.
            try await until { receivers.ids("crm").count == 1 }
            try await until { try await !states("crm").contains(.pending) }
        }
    }

    @Test("410 disables the endpoint, in the audit log, too, and its events wait until it is enabled")
    func gone() async throws {
        let receivers = Receivers(["crm": [EventAnswer(status: 410, retryAfter: nil)]])
        try await store.events.add(event("customer"), to: ["crm"], now: clock.now)
        try await serving(["crm"], receivers) {
            try await until { try await store.events.endpoints().first?.disabledAt != nil }
            #expect(try await states("crm") == [.pending])
            try await store.events.setDisabled("crm", at: nil)
            try await until { try await states("crm") == [.delivered] }
        }
        let recorded = try await store.audit.entries(
            .events, AuditQuery(.action("event.disable")).filter, before: nil, limit: 10)
        #expect(recorded.count == 1)
    }

    @Test("An event with a body that is too long is not sent")
    func tooLong() async throws {
        let receivers = Receivers([:])
        let data = #"{"x":""# + String(repeating: "x", count: 20_000) + #""}"#
        try await store.events.add(event("customer", data), to: ["crm"], now: clock.now)
        try await serving(["crm"], receivers) {
            try await until {
                try await store.events.deliveries(EventFilter(), before: nil, limit: 1).first?.lastAttempt != nil
            }
        }
        #expect(receivers.ids("crm").isEmpty)
    }
}

extension WebhookSecretFile {
    /// A secret as a file would hold it.
    fileprivate static func sample() throws -> [WebhookSecret] {
        let folder = try TemporaryFolder()
        let path = folder.path("secret")
        _ = FileManager.default.createFile(
            atPath: path, contents: Data("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n".utf8),
            attributes: [.posixPermissions: 0o600])
        return try WebhookSecretFile(path: path).load()
    }
}
