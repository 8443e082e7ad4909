import FoundationEssentials
import OfferSigning
package import OfferStore

/// Events as people see and repeat them: in the API, in the console and on the command line.
package struct EventDesk: Sendable {
    /// The type of a test event.
    package static let testType = "endpoint.test"

    private let store: any EventStore
    private let configured: [EventEndpoint]
    private let audit: AuditLog
    private let system: SystemEnvironment

    /// - Parameter endpoints: the endpoints in the configuration.
    package init(store: any EventStore, endpoints: [EventEndpoint], audit: AuditLog, system: SystemEnvironment) {
        self.store = store
        configured = endpoints
        self.audit = audit
        self.system = system
    }

    /// The endpoints by name: those in the configuration, and those that are gone from it but still have deliveries.
    ///
    /// - Parameter caller: a caller limited to some apps sees only the endpoints that receive events of no other apps. A caller who
    ///   sees only events of campaigns sees only the endpoints that receive some of these.
    package func endpoints(for caller: Caller) async throws(StoreError) -> [EventEndpointLine] {
        let states = Dictionary(try await store.endpoints().map { ($0.endpoint, $0) }) { first, _ in first }
        let known = Dictionary(configured.map { ($0.name, $0) }) { first, _ in first }
        return Set(states.keys).union(known.keys).sorted()
            .filter { name in
                caller.apps == nil && caller.role.eventPrefix == nil
                    || known[name].map { isWithin($0, caller) && $0.receives(caller.role.eventPrefix) } == true
            }
            .map { EventEndpointLine(name: $0, known[$0], states[$0]) }
    }

    /// The deliveries that match a query, the latest first.
    ///
    /// - Parameter number: only deliveries with smaller numbers are listed; nil to begin with the latest.
    package func page(
        _ query: EventQuery,
        before number: Int64? = nil,
        limit: Int,
        for caller: Caller
    ) async throws(StoreError) -> EventPage {
        let found = try await store.deliveries(query.filter(for: caller), before: number, limit: limit + 1)
        return EventPage(lines: found.prefix(limit).map(EventLine.init), hasMore: found.count > limit)
    }

    /// A delivery with its attempts, the oldest first.
    package func delivery(
        _ number: Int64,
        for caller: Caller
    ) async throws -> (line: EventLine, attempts: [EventAttemptLine]) {
        let delivery = try await visible(number, caller)
        return (EventLine(delivery), try await store.attempts(of: number).map(EventAttemptLine.init))
    }

    /// Sends an event to its endpoint again, with the same id.
    package func replay(_ number: Int64, by caller: Caller, from origin: Origin? = nil) async throws {
        let delivery = try await visible(number, caller)
        try await audit.record(
            .replayEvent, by: origin ?? caller.origin, partition: delivery.event.partition,
            object: AuditObject("\(number)", after: delivery.endpoint))
        guard try await store.replay([number], at: system.now()) == 1 else { throw EventError.unknownDelivery("\(number)") }
    }

    /// Sends all events that match a query again. Returns how many there are.
    package func replayAll(_ query: EventQuery, by caller: Caller, from origin: Origin? = nil) async throws -> Int {
        try await audit.record(.replayEvent, by: origin ?? caller.origin, object: AuditObject(query.endpoint, after: query.text))
        var (count, last): (Int, Int64?) = (0, nil)
        repeat {
            let found = try await store.deliveries(query.filter(for: caller), before: last, limit: 500)
            count += try await store.replay(found.map(\.number), at: system.now())
            last = found.last?.number
        } while last != nil
        return count
    }

    /// Sends a test event to an endpoint.
    ///
    /// Returns its `webhook-id`.
    package func test(_ name: String, by caller: Caller, from origin: Origin? = nil) async throws -> String {
        let endpoint = try known(name, caller)
        let id = UUID()
        // Each test has its own ordering key, so that it does not wait for an earlier test that has failed.
        let event = ServiceEvent(
            id: id, type: Self.testType, at: system.now(), partition: nil, orderingKey: "test/\(id)", customerID: nil,
            data: Array(#"{"message":"This is a test."}"#.utf8))
        try await audit.record(.testEvents, by: origin ?? caller.origin, object: AuditObject(endpoint.name))
        try await store.add(event, to: [endpoint.name], now: system.now())
        return EventMessage(event).id
    }

    /// Enables an endpoint that was disabled.
    ///
    /// It receives events again, beginning with those that have waited.
    package func enable(_ name: String, by caller: Caller, from origin: Origin? = nil) async throws {
        let endpoint = try known(name, caller)
        let event = (origin ?? caller.origin).event(.enableEvents, at: system.now(), object: AuditObject(endpoint.name))
        try await store.setDisabled(endpoint.name, at: nil, audit: [event])
    }

    private func visible(_ number: Int64, _ caller: Caller) async throws -> EventDelivery {
        guard let delivery = try await store.delivery(number), delivery.event.type.hasPrefix(caller.role.eventPrefix ?? ""),
            caller.apps == nil || delivery.event.partition.map({ caller.mayUse(app: $0.bundleID) }) == true
        else { throw EventError.unknownDelivery("\(number)") }
        return delivery
    }

    private func known(_ name: String, _ caller: Caller) throws(EventError) -> EventEndpoint {
        guard let endpoint = configured.first(where: { $0.name == name }) else { throw .unknownEndpoint(name) }
        guard isWithin(endpoint, caller) else { throw .notAllowed }
        return endpoint
    }

    private func isWithin(_ endpoint: EventEndpoint, _ caller: Caller) -> Bool {
        guard let apps = caller.apps else { return true }
        return endpoint.apps?.isSubset(of: apps) ?? false
    }
}

extension EventEndpoint {
    /// Whether the endpoint receives events of types that begin so; true for nil.
    fileprivate func receives(_ prefix: String?) -> Bool {
        guard let prefix else { return true }
        return types.contains { $0.hasPrefix(prefix) || $0.hasSuffix("*") && prefix.hasPrefix($0.dropLast()) }
    }
}

extension EventEndpointLine {
    fileprivate init(name: String, _ endpoint: EventEndpoint?, _ state: EventEndpointState?) {
        self.name = name
        host = endpoint.flatMap { URL(string: $0.url) }.map { "\($0.scheme ?? "")://\($0.host ?? "")" }
        types = endpoint?.types ?? []
        apps = endpoint?.apps?.sorted()
        disabledAt = state?.disabledAt
        pending = state?.pending ?? 0
        failed = state?.failed ?? 0
        oldestPending = state?.oldestPending
        publicKeys = endpoint?.secrets.compactMap(\.publicKey) ?? []
    }
}

/// A page of deliveries, the latest first.
package struct EventPage: Sendable {
    package let lines: [EventLine]
    private let hasMore: Bool

    init(lines: [EventLine], hasMore: Bool) {
        self.lines = lines
        self.hasMore = hasMore
    }

    /// The number before which the next page begins; nil if this is the last page.
    package var next: Int64? { hasMore ? lines.last?.number : nil }
}

/// Why a request about events is refused.
package enum EventError: Error, Equatable {
    /// There is no such delivery, or the caller may not see it.
    case unknownDelivery(String)
    /// The configuration has no endpoint of this name.
    case unknownEndpoint(String)
    /// The caller is limited to some apps, and the endpoint receives events of other apps as well.
    case notAllowed
}

extension EventError: CustomStringConvertible {
    /// What is wrong and what to do about it, in a sentence.
    package var description: String {
        switch self {
        case .unknownDelivery(let number): "there is no delivery \(number); those that are done are kept for events.keep"
        case .unknownEndpoint(let name): "the configuration has no endpoint \(name) under events.endpoints"
        case .notAllowed: "this access key is for some apps, and the endpoint receives events of others, too"
        }
    }
}
