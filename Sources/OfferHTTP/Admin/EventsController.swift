import Hummingbird
package import OfferService
package import WireText

/// `/v1/admin/events`: shows the events that were sent to the company's own systems, and sends them again.
struct EventsController: Sendable {
    let desk: EventDesk

    var routes: [OperationRoute] {
        [
            OperationRoute(.listEvents, respond: page),
            OperationRoute(.listEventEndpoints) { request in
                let page = try ListPage(request.query)
                return try page.json(of: try await desk.endpoints(for: request.caller), id: \.name, EventsJSON.endpoint)
                    .asResponse()
            },
            OperationRoute(.getEvent) { request in
                let (line, attempts) = try await desk.delivery(try request.number(), for: request.caller)
                return EventsJSON.delivery(line, attempts: attempts).asResponse()
            },
            action(.replayEvent) { request in
                try await desk.replay(try request.number(), by: request.caller, from: request.origin)
                return ["status": .string("pending")]
            },
            action(.testEventEndpoint) { request in
                let id = try await desk.test(request.parameter("name"), by: request.caller, from: request.origin)
                return ["status": .string("pending"), "id": .string(id)]
            },
            action(.enableEventEndpoint) { request in
                try await desk.enable(request.parameter("name"), by: request.caller, from: request.origin)
                return ["status": .string("enabled")]
            },
        ]
    }

    private func action(
        _ operation: Operation,
        _ act: @escaping @Sendable (OperationRequest) async throws -> KeyValuePairs<String, JSONValue?>
    ) -> OperationRoute {
        OperationRoute(operation) { request in
            return JSONValue.members(try await act(request)).asResponse()
        }
    }

    private func page(_ request: OperationRequest) async throws -> Response {
        let query = request.query
        var numbers = QueryNumbers(query)
        let before = numbers.number("before", in: 1...Int64.max)
        let limit = ListPage.limit(&numbers)
        if let state = query["state"], !EventQuery.states.contains(state) {
            numbers.refuse("state", "must be \(EventQuery.states.joined(separator: ", "))")
        }
        try numbers.check()
        let wanted = EventQuery(
            endpoint: query["endpoint"], type: query["type"], state: query["state"], customerID: query["customerId"])
        return EventsJSON.page(try await desk.page(wanted, before: before, limit: limit, for: request.caller)).asResponse()
    }
}

extension OperationRequest {
    /// Reads a delivery's number in the path.
    func number() throws(EventError) -> Int64 {
        guard let number = Int64(parameter("number")) else { throw .unknownDelivery(parameter("number")) }
        return number
    }
}

/// Events as the API and the commands show them.
package enum EventsJSON {
    static func page(_ page: EventPage) -> JSONValue {
        .members(["items": .array(page.lines.map(line)), "next": .integer(page.next)])
    }

    /// Returns one delivery.
    package static func line(_ line: EventLine) -> JSONValue { .members(summary(line)) }

    /// Returns one delivery with its body and its attempts.
    package static func delivery(_ line: EventLine, attempts: [EventAttemptLine]) -> JSONValue {
        guard case .object(let members) = JSONValue.members(summary(line)) else { return .null }
        return .object(
            members + [
                JSONValue.Member(name: "body", value: (try? JSONValue(parsing: line.body)) ?? .null),
                JSONValue.Member(name: "attemptList", value: .array(attempts.map(attempt))),
            ])
    }

    static func endpoint(_ endpoint: EventEndpointLine) -> JSONValue {
        .members([
            "name": .string(endpoint.name), "host": .text(endpoint.host), "types": .texts(endpoint.types),
            "apps": endpoint.apps.map { .texts($0) } ?? .null, "disabledAt": .instant(endpoint.disabledAt),
            "pending": .integer(endpoint.pending), "failed": .integer(endpoint.failed),
            "oldestPending": .instant(endpoint.oldestPending), "publicKeys": .texts(endpoint.publicKeys),
        ])
    }

    private static func summary(_ line: EventLine) -> KeyValuePairs<String, JSONValue?> {
        [
            "number": .integer(line.number), "endpoint": .string(line.endpoint), "id": .string(line.id),
            "type": .string(line.type), "at": .instant(line.at), "bundleId": .text(line.bundleID),
            "environment": .text(line.environment), "customerId": .text(line.customerID), "state": .string(line.state),
            "attempts": .integer(line.attempts), "dueAt": .instant(line.dueAt),
            "lastAttempt": line.lastAttempt.map(attempt) ?? .null,
        ]
    }

    private static func attempt(_ attempt: EventAttemptLine) -> JSONValue {
        .members([
            "at": .instant(attempt.at), "milliseconds": .integer(attempt.milliseconds), "status": .integer(attempt.status),
            "fault": .text(attempt.fault),
        ])
    }
}
