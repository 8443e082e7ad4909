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
    /// When the oldest pending event took place; nil if none is pending.
    public let oldestPending: Instant?

    /// Stores the given values without checking them.
    public init(endpoint: String, disabledAt: Instant?, pending: Int, failed: Int, oldestPending: Instant?) {
        self.endpoint = endpoint
        self.disabledAt = disabledAt
        self.pending = pending
        self.failed = failed
        self.oldestPending = oldestPending
    }

    /// The state of a disabled endpoint, as a text for the audit log.
    static func auditText(disabledAt instant: Instant, _ functions: AuditFunctions) -> String {
        "disabled since \(instant.iso8601), \(functions.text(ofRow: [String(instant.milliseconds)]))"
    }
}

extension [AuditEvent] {
    /// Returns the same events with the states of an endpoint before and after the change.
    ///
    /// A state is the instant since which the endpoint is disabled; nil while it receives events.
    package func telling(disabledAt before: Instant?, _ after: Instant?, _ functions: AuditFunctions) -> [AuditEvent] {
        let states = [before, after].map { at in at.map { EventEndpointState.auditText(disabledAt: $0, functions) } }
        return map { $0.telling(before: states[0], after: states[1]) }
    }
}
