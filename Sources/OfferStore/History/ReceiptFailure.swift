public import EligibilityRules

/// Why a question about a kept receipt brought nothing, and when it is to be asked again.
public struct ReceiptFailure: Equatable, Sendable {
    /// A stable code; nil if nothing went wrong and the question was only not asked.
    public let reason: String?
    /// How many questions in a row have failed by now.
    public let failures: Int
    /// When to ask again; nil: never.
    public let dueAt: Instant?

    /// Takes the values as they are.
    public init(reason: String?, failures: Int, dueAt: Instant?) {
        self.reason = reason
        self.failures = failures
        self.dueAt = dueAt
    }
}
