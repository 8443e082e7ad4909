public import EligibilityRules

/// Events for the company's systems, and their deliveries.
///
/// There is no outbox table, which would slow down every signature. Events are made later from rows that are durable already:
/// those of the ledger, the audit log and the histories. They are stored together with the position of the last row that was
/// read, so a crash neither loses an event nor makes one twice.
public protocol EventStore: Sendable {
    /// Makes the events of a row; each call gives them new ids.
    ///
    /// Called in the store's transaction, so it must be quick.
    typealias Render = @Sendable (EventSource) -> [ServiceEvent]

    /// Stores the events of rows recorded since the last call, with a delivery for each endpoint that subscribes to them.
    ///
    /// Rows from before the first call make no events. Returns the number of rows read: fewer than `limit` once all are read.
    ///
    /// - Parameters:
    ///   - limit: how many rows at most, of each kind of source.
    ///   - subscriptions: what the endpoints subscribe to. An event that none of them subscribes to is not stored.
    func collect(
        limit: Int,
        for subscriptions: [EventSubscription],
        now: Instant,
        _ render: @escaping Render
    ) async throws(StoreError) -> Int

    /// Stores an event that no row has caused, such as a test, for delivery to these endpoints.
    func add(_ event: ServiceEvent, to endpoints: [String], now: Instant) async throws(StoreError)

    /// The due deliveries of an endpoint, the longest due first.
    ///
    /// Deliveries with the same ordering key are made one after another, so only the oldest pending one of them is returned.
    func due(endpoint: String, at now: Instant, limit: Int) async throws(StoreError) -> [EventDelivery]

    /// Records the results of attempts.
    ///
    /// The result for a delivery that is no longer pending is ignored.
    func record(_ outcomes: [EventAttemptOutcome]) async throws(StoreError)

    /// Deliveries that match the filter, the latest first.
    ///
    /// - Parameter number: returns only older ones; nil begins with the latest.
    func deliveries(_ filter: EventFilter, before number: Int64?, limit: Int) async throws(StoreError) -> [EventDelivery]

    /// A delivery; nil if there is none.
    func delivery(_ number: Int64) async throws(StoreError) -> EventDelivery?

    /// The attempts of a delivery, the oldest first.
    func attempts(of number: Int64) async throws(StoreError) -> [EventAttempt]

    /// Makes deliveries pending again, counts their attempts from 0, and returns how many deliveries these are.
    ///
    /// Each delivery keeps its place among those of its ordering key.
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

    /// Deletes old deliveries, and returns how many.
    ///
    /// A delivery is old if it has ended and its last attempt began before the instant. It is old, too, if it is pending for an
    /// endpoint that is not configured any more and its event took place before the instant.
    ///
    /// - Parameters:
    ///   - endpoints: the names in the configuration.
    ///   - limit: how many of each of these two kinds to delete at most.
    func prune(before instant: Instant, keeping endpoints: [String], limit: Int) async throws(StoreError) -> Int

    /// Blanks the data of events that name one of these customers, and the ids in them.
    ///
    /// Returns how many events these are. They are still delivered, without the data.
    func erase(customerIDs: Set<String>, bundleID: String) async throws(StoreError) -> Int
}

/// Selects deliveries. A nil value selects all.
public struct EventFilter: Equatable, Sendable {
    /// Only deliveries to this endpoint.
    public let endpoint: String?
    /// Only events of this type.
    public let type: String?
    /// Only deliveries in this state.
    public let state: EventDelivery.State?
    /// Only events about this customer, by the app's own id.
    public let customerID: String?
    /// Only events of these apps, by bundle id.
    ///
    /// Nil also selects the events that belong to no app.
    public let apps: Set<String>?
    /// Only events whose type begins so.
    public let typePrefix: String?

    /// Stores the given values without checking them.
    public init(
        endpoint: String? = nil,
        type: String? = nil,
        typePrefix: String? = nil,
        state: EventDelivery.State? = nil,
        customerID: String? = nil,
        apps: Set<String>? = nil
    ) {
        self.endpoint = endpoint
        self.type = type
        self.typePrefix = typePrefix
        self.state = state
        self.customerID = customerID
        self.apps = apps
    }
}
