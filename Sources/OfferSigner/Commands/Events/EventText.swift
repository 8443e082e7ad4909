import EligibilityRules
import OfferService
import WireText

/// Events as the commands print them.
enum EventText {
    /// Prints the endpoints.
    static func table(_ endpoints: [EventEndpointLine]) {
        guard !endpoints.isEmpty else { return print("no endpoint is configured: events.endpoints") }
        let width = endpoints.map(\.name.count).max()!
        for endpoint in endpoints {
            let state = endpoint.disabledAt.map { "disabled since \($0.iso8601)" } ?? "receiving"
            let oldest = endpoint.oldestPending.map { ", the oldest of \($0.iso8601)" } ?? ""
            print("\(endpoint.name.padded(width))  \(state)  \(endpoint.pending) pending\(oldest), \(endpoint.failed) failed")
        }
    }

    /// Prints deliveries.
    static func table(_ lines: [EventLine]) {
        for line in lines {
            let columns = [
                "\(line.number)".padded(8), line.at.iso8601, line.state.padded(9), line.endpoint, line.type,
                line.lastAttempt?.fault ?? "",
            ]
            print(columns.joined(separator: "  "))
        }
    }

    /// Returns a delivery in one line.
    static func json(_ line: EventLine, _ attempts: [EventAttemptLine]? = nil) -> [UInt8] {
        JSONValue.members([
            "number": .integer(line.number), "endpoint": .string(line.endpoint), "id": .string(line.id),
            "type": .string(line.type), "at": .instant(line.at), "bundleId": .text(line.bundleID),
            "state": .string(line.state), "attempts": .integer(line.attempts), "dueAt": .instant(line.dueAt),
            "fault": .text(line.lastAttempt?.fault), "status": .integer(line.lastAttempt?.status),
            "body": try? JSONValue(parsing: line.body),
            "attemptList": attempts.map {
                .array(
                    $0.map {
                        .members([
                            "at": .instant($0.at), "milliseconds": .integer($0.milliseconds), "status": .integer($0.status),
                            "fault": .text($0.fault),
                        ])
                    })
            },
        ]).bytes
    }
}
