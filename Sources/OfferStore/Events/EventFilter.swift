/// Selects deliveries. A nil value selects all.
public struct EventFilter: Equatable, Sendable {
    /// The endpoint's name.
    public let endpoint: String?
    /// The event's type.
    public let type: String?
    /// How far they are.
    public let state: EventDelivery.State?
    /// The app's own id of the customer.
    public let customerID: String?
    /// The apps that the reader may see; nil for all, and for the events of no app.
    public let apps: Set<String>?

    /// Takes the values as they are.
    public init(
        endpoint: String? = nil,
        type: String? = nil,
        state: EventDelivery.State? = nil,
        customerID: String? = nil,
        apps: Set<String>? = nil
    ) {
        self.endpoint = endpoint
        self.type = type
        self.state = state
        self.customerID = customerID
        self.apps = apps
    }
}
