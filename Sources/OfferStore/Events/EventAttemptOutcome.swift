public import EligibilityRules

/// The result of an attempt to deliver an event, as it is recorded.
public struct EventAttemptOutcome: Sendable {
    /// The number of the delivery.
    public let number: Int64
    /// The attempt.
    public let attempt: EventAttempt
    /// The delivery's state after the attempt.
    public let state: EventDelivery.State
    /// When the next attempt is due; nil unless the delivery is pending.
    public let dueAt: Instant?

    /// Stores the given values without checking them.
    public init(number: Int64, attempt: EventAttempt, state: EventDelivery.State, dueAt: Instant?) {
        self.number = number
        self.attempt = attempt
        self.state = state
        self.dueAt = dueAt
    }
}

/// An attempt to deliver an event.
public struct EventAttempt: Equatable, Sendable {
    /// When the attempt began.
    public let at: Instant
    /// How long it took, in ms.
    public let milliseconds: Int64
    /// The status of the answer; nil without an answer.
    public let status: Int?
    /// Why it failed, in words; nil for a success. Contains no part of the answer's body.
    public let fault: String?

    /// Stores the given values without checking them.
    public init(at: Instant, milliseconds: Int64, status: Int?, fault: String?) {
        self.at = at
        self.milliseconds = milliseconds
        self.status = status
        self.fault = fault
    }
}
