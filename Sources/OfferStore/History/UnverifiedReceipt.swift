public import EligibilityRules

/// A receipt of which the App Store has not said what it shows, sealed, on its way into the store.
public struct UnverifiedReceipt: Equatable, Sendable {
    /// The app that it is said to be of.
    public let partition: AppPartition
    /// SHA-256 of the receipt.
    public let digest: [UInt8]
    /// Whose it is said to be; nil if nobody says.
    public let customerID: String?
    /// The receipt; only whoever has the secret can read it.
    public let sealed: [UInt8]
    /// When it came.
    public let keptAt: Instant
    /// Why it is not verified: a stable code.
    public let reason: String
    /// When the App Store is to be asked again; nil: never.
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
