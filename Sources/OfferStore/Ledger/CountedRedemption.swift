public import EligibilityRules
public import FoundationEssentials

/// A purchase with a promotional offer, as limits count it.
public struct CountedRedemption: Equatable, Sendable {
    /// The app in an environment.
    public let partition: AppPartition
    /// Apple's `transactionId`.
    public let transactionID: String
    /// Rises with every change. A version older than the counted one changes nothing.
    public let version: Int64
    /// The name that all redemptions of the offer count under.
    public let total: String
    /// The names that the customer's redemptions count under; none if the purchase counts under another of its ids.
    public let names: [String]
    /// When the product was bought.
    public let redeemedAt: Instant
    /// Whether the App Store refunded or revoked it.
    public let isRefunded: Bool
    /// Nonce of the redeemed signature, which is no longer outstanding; nil while unknown.
    public let nonce: UUID?

    /// Stores the given values without checking them.
    public init(
        partition: AppPartition,
        transactionID: String,
        version: Int64,
        total: String,
        names: [String],
        redeemedAt: Instant,
        isRefunded: Bool,
        nonce: UUID?
    ) {
        self.partition = partition
        self.transactionID = transactionID
        self.version = version
        self.total = total
        self.names = names
        self.redeemedAt = redeemedAt
        self.isRefunded = isRefunded
        self.nonce = nonce
    }
}
