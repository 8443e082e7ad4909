public import EligibilityRules

/// How far the answer to a refund request has come.
public struct RefundProgress: Equatable, Sendable {
    /// What has become of the request.
    public var state: RefundState
    /// A stable code of why it is not answered, or why the last attempt failed; nil for none.
    public var detail: String?
    /// The policy that decided; nil: none applied, or nothing was decided.
    public var policy: String?
    /// The body of the answer, sent or not; nil while there is none.
    public var answer: String?
    /// The number of failed attempts.
    public var attempts: Int
    /// When to try next; nil for never.
    public var dueAt: Instant?
    /// When it was settled; nil while it waits.
    public var settledAt: Instant?

    /// Takes the values as they are.
    public init(
        state: RefundState,
        detail: String? = nil,
        policy: String? = nil,
        answer: String? = nil,
        attempts: Int = 0,
        dueAt: Instant? = nil,
        settledAt: Instant? = nil
    ) {
        self.state = state
        self.detail = detail
        self.policy = policy
        self.answer = answer
        self.attempts = attempts
        self.dueAt = dueAt
        self.settledAt = settledAt
    }
}
