public import EligibilityRules

/// Events for the company's systems, and their deliveries.
///
/// The ledger, the audit log and the histories are the outbox: an event is made of a row that is durable already, and stored
/// together with the position of the last row that was read. So an event exists exactly if its cause does, and a signature pays
/// nothing for it.
public protocol EventStore: Sendable {
    /// Makes the events of a source, with ids of their own each time. Called in the store's transaction; must be quick.
    typealias Render = @Sendable (EventSource) -> [ServiceEvent]

    /// Stores the events of rows recorded since the last call, with a delivery for each endpoint that subscribes to them.
    ///
    /// Rows from before the first call make no events. Returns the number of rows read: fewer than `limit` once all are read.
    ///
    /// - Parameters:
    ///   - limit: how many rows at most, of each kind of source.
    ///   - subscriptions: the endpoints. An event without one is not stored.
    func collect(
        limit: Int,
        for subscriptions: [EventSubscription],
        now: Instant,
        _ render: @escaping Render
    ) async throws(StoreError) -> Int

    /// Stores an event for some endpoints that comes from no row: a test.
    func add(_ event: ServiceEvent, to endpoints: [String], now: Instant) async throws(StoreError)

    /// The due deliveries of an endpoint, the longest due first, and of one ordering key only the oldest pending one.
    func due(endpoint: String, at now: Instant, limit: Int) async throws(StoreError) -> [EventDelivery]

    /// Records the results of attempts. A delivery that has changed its state meanwhile keeps it.
    func record(_ outcomes: [EventAttemptOutcome]) async throws(StoreError)

    /// Deliveries that match the filter, the latest first.
    ///
    /// - Parameter number: returns only older ones; nil begins with the latest.
    func deliveries(_ filter: EventFilter, before number: Int64?, limit: Int) async throws(StoreError) -> [EventDelivery]

    /// A delivery; nil if there is none.
    func delivery(_ number: Int64) async throws(StoreError) -> EventDelivery?

    /// The attempts of a delivery, the oldest first.
    func attempts(of number: Int64) async throws(StoreError) -> [EventAttempt]

    /// Makes deliveries pending again, with no attempts so far. Returns how many there are.
    ///
    /// - Parameter numbers: each keeps its place among those of its ordering key.
    func replay(_ numbers: [Int64], at now: Instant) async throws(StoreError) -> Int

    /// The state of each endpoint that has deliveries or was disabled, in the order of names.
    func endpoints() async throws(StoreError) -> [EventEndpointState]

    /// Disables an endpoint, or enables it again with nil. Its pending deliveries wait meanwhile. Returns whether that changed
    /// anything.
    ///
    /// - Parameter events: are recorded in the audit log with the change, and with the states before and after.
    @discardableResult func setDisabled(
        _ endpoint: String,
        at instant: Instant?,
        audit events: [AuditEvent]
    ) async throws(StoreError) -> Bool

    /// Deletes up to `limit` deliveries that are not pending and whose last attempt began before an instant, or that are for
    /// no endpoint and whose event took place before it. Returns how many.
    ///
    /// - Parameter endpoints: the names in the configuration.
    func prune(before instant: Instant, keeping endpoints: [String], limit: Int) async throws(StoreError) -> Int

    /// Blanks the data of events that name a customer, and their ids. They are still delivered, without the data.
    func erase(customerIDs: Set<String>, bundleID: String) async throws(StoreError) -> Int
}

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
