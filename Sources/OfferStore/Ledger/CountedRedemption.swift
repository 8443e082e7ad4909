public import EligibilityRules
public import FoundationEssentials

/// A purchase with a promotional offer, as limits count it.
public struct CountedRedemption: Equatable, Sendable {
    /// In which app.
    public let partition: AppPartition
    /// Apple's `transactionId`.
    public let transactionID: String
    /// Grows with every change of what is known of it: what is older than what was counted changes nothing.
    public let version: Int64
    /// The name under which all redemptions of the offer are counted.
    public let total: String
    /// The names under which those of one customer are.
    public let names: [String]
    /// When it was bought.
    public let redeemedAt: Instant
    /// Whether the App Store took it back.
    public let isRefunded: Bool
    /// Of the signature that it redeemed, which is then no longer outstanding; nil while none is known.
    public let nonce: UUID?

    /// Takes the values as they are.
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
