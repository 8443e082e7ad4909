public import EligibilityRules

/// A question of the App Store about a purchase whose money the customer wants back, to be stored with its notification.
public struct RefundRequest: Equatable, Sendable {
    /// How long the App Store waits for an answer, in ms.
    private static let patience: Int64 = 12 * 3_600_000

    /// The key of the notification's record.
    public let notification: [UInt8]
    /// Apple's `transactionId`.
    public let transactionID: String
    /// Apple's `originalTransactionId`.
    public let originalTransactionID: String
    /// Product id.
    public let productID: String
    /// Apple's `consumptionRequestReason`, known or not; nil if the notification has none.
    public let reason: String?
    /// Whether the purchase belongs to the Advanced Commerce API.
    public let isAdvancedCommerce: Bool
    /// When the App Store signed the notification.
    public let requestedAt: Instant

    /// Stores the given values without checking them.
    public init(
        notification: [UInt8],
        transactionID: String,
        originalTransactionID: String,
        productID: String,
        reason: String?,
        isAdvancedCommerce: Bool = false,
        requestedAt: Instant
    ) {
        self.notification = notification
        self.transactionID = transactionID
        self.originalTransactionID = originalTransactionID
        self.productID = productID
        self.reason = reason
        self.isAdvancedCommerce = isAdvancedCommerce
        self.requestedAt = requestedAt
    }

    /// When an answer comes too late.
    public var deadline: Instant { requestedAt.advanced(by: Self.patience) }
}
