public import EligibilityRules

/// The delivery of an event to one endpoint.
public struct EventDelivery: Equatable, Sendable {
    /// Whether a delivery is pending, delivered or failed.
    public enum State: String, Sendable, CaseIterable {
        /// An attempt is due now or later.
        case pending
        /// The endpoint has answered with 2xx.
        case delivered
        /// The last attempt has failed; there will be no other.
        case failed
    }

    /// The unique number.
    ///
    /// Deliveries with the same ordering key reach an endpoint in the order of these numbers.
    public let number: Int64
    /// The endpoint's name in the configuration.
    public let endpoint: String
    /// The event.
    public let event: ServiceEvent
    /// Whether the delivery is pending, has succeeded, or has failed for good.
    public let state: State
    /// The number of attempts since the event was collected, or was sent again.
    public let attempts: Int
    /// When the next attempt is due; nil unless the delivery is pending.
    public let dueAt: Instant?
    /// The last attempt; nil for none.
    public let lastAttempt: EventAttempt?

    /// Stores the given values without checking them.
    public init(
        number: Int64,
        endpoint: String,
        event: ServiceEvent,
        state: State,
        attempts: Int,
        dueAt: Instant?,
        lastAttempt: EventAttempt?
    ) {
        self.number = number
        self.endpoint = endpoint
        self.event = event
        self.state = state
        self.attempts = attempts
        self.dueAt = dueAt
        self.lastAttempt = lastAttempt
    }
}
