public import EligibilityRules

/// A sealed receipt to be stored that the App Store has not verified.
public struct UnverifiedReceipt: Equatable, Sendable {
    /// The app that the source names.
    public let partition: AppPartition
    /// SHA-256 of the receipt.
    public let digest: [UInt8]
    /// The customer that the source names; nil for none.
    public let customerID: String?
    /// The encrypted receipt. Only a holder of the secret can decrypt it.
    public let sealed: [UInt8]
    /// When it was received.
    public let keptAt: Instant
    /// A stable code for why it is not verified.
    public let reason: String
    /// When to verify it next; nil for never.
    public let dueAt: Instant?

    /// Takes the values as they are.
    public init(
        partition: AppPartition,
        digest: [UInt8],
        customerID: String?,
        sealed: [UInt8],
        keptAt: Instant,
        reason: String,
        dueAt: Instant?
    ) {
        self.partition = partition
        self.digest = digest
        self.customerID = customerID
        self.sealed = sealed
        self.keptAt = keptAt
        self.reason = reason
        self.dueAt = dueAt
    }
}
