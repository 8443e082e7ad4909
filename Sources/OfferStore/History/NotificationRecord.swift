public import EligibilityRules

/// A notification from the App Store. Its key is kept for good; its content has a retention period.
public struct NotificationRecord: Equatable, Sendable {
    /// The unique key, by which a duplicate of the notification is recognised: the `notificationUUID`, or SHA-256 of the content
    /// if there is none.
    public let key: [UInt8]
    /// The version of App Store Server Notifications: 1 or 2.
    public let version: Int
    /// Apple's notification type, whether this version knows it or not.
    public let type: String
    /// Apple's subtype; nil when there is none.
    public let subtype: String?
    /// The subscription concerned; nil for none.
    public let originalTransactionID: String?
    /// The content without the shared secret; empty after its retention period, or after the erasure of its customer.
    public let body: [UInt8]
    /// When it was received.
    public let receivedAt: Instant

    /// Stores the given values without checking them.
    public init(
        key: [UInt8],
        version: Int,
        type: String,
        subtype: String?,
        originalTransactionID: String?,
        body: [UInt8],
        receivedAt: Instant
    ) {
        self.key = key
        self.version = version
        self.type = type
        self.subtype = subtype
        self.originalTransactionID = originalTransactionID
        self.body = body
        self.receivedAt = receivedAt
    }
}
