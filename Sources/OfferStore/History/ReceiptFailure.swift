public import EligibilityRules

/// Why a verification of a stored receipt had no result, and when to try again.
public struct ReceiptFailure: Equatable, Sendable {
    /// A stable code; nil if the App Store was not asked and nothing failed.
    public let reason: String?
    /// Number of consecutive failures.
    public let failures: Int
    /// When to try again; nil for never.
    public let dueAt: Instant?

    /// Takes the values as they are.
    public init(reason: String?, failures: Int, dueAt: Instant?) {
        self.reason = reason
        self.failures = failures
        self.dueAt = dueAt
    }
}
