public import EligibilityRules

/// A stored receipt that is due for verification.
public struct ReceiptRecord: Equatable, Sendable {
    /// The app in an environment.
    public let partition: AppPartition
    /// The key of the receipt.
    public let name: ReceiptName
    /// The customer, according to the source; only for unverified receipts.
    public let customerID: String?
    /// The encrypted receipt.
    public let sealed: [UInt8]
    /// When the receipt was stored.
    public let keptAt: Instant
    /// Number of consecutive failures.
    public let failures: Int
    /// Why the last verification failed; nil if it did not.
    public let reason: String?

    /// Stores the given values without checking them.
    public init(
        partition: AppPartition,
        name: ReceiptName,
        customerID: String?,
        sealed: [UInt8],
        keptAt: Instant,
        failures: Int,
        reason: String?
    ) {
        self.partition = partition
        self.name = name
        self.customerID = customerID
        self.sealed = sealed
        self.keptAt = keptAt
        self.failures = failures
        self.reason = reason
    }
}
