package import OfferService
package import WireText

/// Events as the API and the commands show them.
package enum EventsJSON {
    /// Returns a page of deliveries.
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

    /// Returns an endpoint.
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
