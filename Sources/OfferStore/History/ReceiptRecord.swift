public import EligibilityRules

/// A kept receipt whose turn it is to be asked about.
public struct ReceiptRecord: Equatable, Sendable {
    /// The app in an environment.
    public let partition: AppPartition
    /// What it goes by.
    public let name: ReceiptName
    /// Whose it is said to be; of those not verified yet only.
    public let customerID: String?
    /// The receipt.
    public let sealed: [UInt8]
    /// When this one came.
    public let keptAt: Instant
    /// Questions in a row that were not answered.
    public let failures: Int
    /// Why the last one was not; nil if it was.
    public let reason: String?

    /// Takes the values as they are.
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
