public import EligibilityRules

/// A notification of the App Store's as it came. It is known for ever; its content has a retention of its own.
public struct NotificationRecord: Equatable, Sendable {
    /// Tells it from others: the `notificationUUID`, or SHA-256 of the content where there is none.
    public let key: [UInt8]
    /// Generation: 1 or 2.
    public let version: Int
    /// Apple's type, known or not.
    public let type: String
    /// Apple's subtype; nil when there is none.
    public let subtype: String?
    /// The subscription it is about; nil when it is about none.
    public let originalTransactionID: String?
    /// As it came, but without the shared secret; empty once its retention is over, or its customer was erased.
    public let body: [UInt8]
    /// When it came.
    public let receivedAt: Instant

    /// Takes the values as they are.
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
