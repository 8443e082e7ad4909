public import EligibilityRules

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

    /// Takes the values as they are.
    public init(at: Instant, milliseconds: Int64, status: Int?, fault: String?) {
        self.at = at
        self.milliseconds = milliseconds
        self.status = status
        self.fault = fault
    }
}
