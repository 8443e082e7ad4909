public import EligibilityRules

/// The result of an attempt, to be recorded.
public struct EventAttemptOutcome: Sendable {
    /// The number of the delivery.
    public let number: Int64
    /// The attempt.
    public let attempt: EventAttempt
    /// The state after it.
    public let state: EventDelivery.State
    /// When the next attempt is due; nil unless it is pending.
    public let dueAt: Instant?

    /// Takes the values as they are.
    public init(number: Int64, attempt: EventAttempt, state: EventDelivery.State, dueAt: Instant?) {
        self.number = number
        self.attempt = attempt
        self.state = state
        self.dueAt = dueAt
    }
}
