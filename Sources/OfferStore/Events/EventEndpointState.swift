public import EligibilityRules

/// The stored state of an endpoint.
public struct EventEndpointState: Equatable, Sendable {
    /// The name in the configuration.
    public let endpoint: String
    /// When it was disabled; nil while it receives events.
    public let disabledAt: Instant?
    /// The number of pending deliveries.
    public let pending: Int
    /// The number of failed deliveries.
    public let failed: Int
    /// When the oldest pending event took place; nil without one.
    public let oldestPending: Instant?

    /// Takes the values as they are.
    public init(endpoint: String, disabledAt: Instant?, pending: Int, failed: Int, oldestPending: Instant?) {
        self.endpoint = endpoint
        self.disabledAt = disabledAt
        self.pending = pending
        self.failed = failed
        self.oldestPending = oldestPending
    }
}
