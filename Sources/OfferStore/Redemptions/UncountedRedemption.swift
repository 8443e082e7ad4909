public import EligibilityRules
public import FoundationEssentials

/// A redemption whose latest state is not counted for limits.
public struct UncountedRedemption: Sendable {
    /// The app in an environment.
    public let partition: AppPartition
    /// Apple's `transactionId`.
    public let transactionID: String
    /// Rises with every change.
    public let version: Int64
    /// Nonce of the redeemed signature; nil while unknown.
    public let nonce: UUID?
    /// The whole chain of the subscription.
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
