public import EligibilityRules
public import FoundationEssentials

/// A redemption of which limits do not know all that is known.
public struct UncountedRedemption: Sendable {
    /// In which app.
    public let partition: AppPartition
    /// Apple's `transactionId`.
    public let transactionID: String
    /// Grows with every change.
    public let version: Int64
    /// Of the signature that it redeemed; nil while none is known.
    public let nonce: UUID?
    /// The subscription it belongs to, all of it.
    public let chain: PurchaseChain

    /// Takes the values as they are.
    public init(partition: AppPartition, transactionID: String, version: Int64, nonce: UUID?, chain: PurchaseChain) {
        self.partition = partition
        self.transactionID = transactionID
        self.version = version
        self.nonce = nonce
        self.chain = chain
    }

    /// The purchase itself; nil if the record of the subscription is damaged.
    public var transaction: PurchaseTransaction? {
        chain.transactions.first { ExactText($0.id) == ExactText(transactionID) }
    }
}
