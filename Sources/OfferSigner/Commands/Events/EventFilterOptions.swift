import ArgumentParser
import OfferService

/// Which deliveries a command is about.
struct EventFilterOptions: ParsableArguments {
    @Option(help: "Those to this endpoint.")
    var endpoint: String?

    @Option(help: "Those of events of this type.")
    var type: String?

    @Option(help: "Those that are pending, delivered or failed.")
    var state: String?

    /// Whether it names nothing.
    var isEmpty: Bool { endpoint == nil && type == nil && state == nil }

    /// Throws for a state that there is not.
    var query: EventQuery {
        get throws {
            if let state, !EventQuery.states.contains(state) {
                throw CommandRefusal("--state: must be \(EventQuery.states.joined(separator: ", "))")
            }
            return EventQuery(endpoint: endpoint, type: type, state: state)
        }
    }
}
