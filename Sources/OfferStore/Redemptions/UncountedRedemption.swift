public import EligibilityRules
public import FoundationEssentials

/// A redemption whose latest state is not counted for limits.
public struct UncountedRedemption: Sendable {
    /// The app in an environment.
    public let partition: AppPartition
    /// Apple's `transactionId` under which it is recorded.
    public let transactionID: String
    /// Rises with every change.
    public let version: Int64
    /// Nonce of the redeemed signature; nil while unknown.
    public let nonce: UUID?
    /// The whole chain of the subscription.
    public let chain: PurchaseChain
    /// Whether the purchase counts under another of its ids: it was recorded under both before a source showed that it is one.
    public let isCopy: Bool

    /// - Parameter recorded: the ids under which redemptions of the chain are recorded. May be empty unless the chain has copies.
    public init(
        partition: AppPartition,
        transactionID: String,
        version: Int64,
        nonce: UUID?,
        chain: PurchaseChain,
        recorded: [String]
    ) {
        self.partition = partition
        self.transactionID = transactionID
        self.version = version
        self.nonce = nonce
        self.chain = chain
        // Few chains have copies, and a chain may have thousands of purchases.
        guard chain.hasCopies else {
            isCopy = false
            return
        }
        let purchase = chain.transactions.first { $0.hasID(transactionID) }
        isCopy = recorded.contains { ExactText($0) < ExactText(transactionID) && purchase?.hasID($0) == true }
    }
}
