import OfferStore

/// A search for deliveries. A property that is nil restricts nothing.
package struct EventQuery: Sendable {
    /// The states that a delivery may have.
    package static let states = EventDelivery.State.allCases.map(\.rawValue)

    let endpoint: String?
    private let type: String?
    private let state: EventDelivery.State?
    private let customerID: String?

    /// - Parameter state: one of `states`; any other text selects all deliveries.
    package init(endpoint: String? = nil, type: String? = nil, state: String? = nil, customerID: String? = nil) {
        self.endpoint = endpoint
        self.type = type
        self.state = state.flatMap(EventDelivery.State.init)
        self.customerID = customerID
    }

    /// The query in words, for the audit log.
    var text: String {
        [
            "all deliveries", type.map { "of type \($0)" }, state.map { "that are \($0.rawValue)" },
            customerID.map { _ in "of a customer" },
        ]
        .compactMap(\.self).joined(separator: " ")
    }

    /// The deliveries that match the query and that the caller may see.
    func filter(for caller: Caller) -> EventFilter {
        EventFilter(
            endpoint: endpoint, type: type, typePrefix: caller.role.eventPrefix, state: state, customerID: customerID,
            apps: caller.apps)
    }
}
