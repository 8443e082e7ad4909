public import EligibilityRules

/// The key of a stored receipt.
public enum ReceiptName: Hashable, Sendable {
    /// The original transaction of the receipt's subscription.
    case subscription(String)
    /// SHA-256 of a receipt whose content is not known yet.
    case unverified([UInt8])

    /// Whether the receipt's content is not known yet.
    public var isUnverified: Bool { if case .unverified = self { true } else { false } }
}

/// Why a verification of a stored receipt had no result, and when to try again.
public struct ReceiptFailure: Equatable, Sendable {
    /// A stable code; nil if the App Store was not asked and nothing failed.
    public let reason: String?
    /// Number of consecutive failures.
    public let failures: Int
    /// When to try again; nil for never.
    public let dueAt: Instant?

    /// Stores the given values without checking them.
    public init(reason: String?, failures: Int, dueAt: Instant?) {
        self.reason = reason
        self.failures = failures
        self.dueAt = dueAt
    }
}
