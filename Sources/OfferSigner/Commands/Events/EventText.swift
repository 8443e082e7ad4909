import EligibilityRules
import OfferService

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
}
