public import EligibilityRules
public import FoundationEssentials

/// The promotional offers that customers redeemed, tied to their signatures.
public protocol RedemptionStore: Sendable {
    /// Looks for the signature of each unexamined redemption, the oldest first, and records the result.
    ///
    /// A redemption belongs to the last unredeemed signature for the same customer, product and offer, in the 24 hours before it.
    /// Returns how many were examined and how many were tied.
    func tieRedemptions(
        limit: Int,
        now: Instant
    ) async throws(StoreError) -> (examined: Int, tied: Int)

    /// The nonce of the signature that a transaction redeemed; nil if unknown.
    func nonce(redeemedBy transactionID: String, partition: AppPartition) async throws(StoreError) -> UUID?

    /// The nonces of the signatures that transactions redeemed, by transaction. Unknown ones are left out.
    func nonces(redeemedBy transactionIDs: [String], partition: AppPartition) async throws(StoreError) -> [ExactText: UUID]

    /// Redemptions that were never counted, or have changed since: those of one subscription, or all, the oldest first.
    ///
    /// - Parameter originalTransactionID: the subscription; nil for all.
    func uncounted(
        partition: AppPartition?,
        originalTransactionID: String?,
        limit: Int
    ) async throws(StoreError) -> [UncountedRedemption]

    /// Marks redemptions as counted. A redemption that has changed meanwhile stays uncounted.
    func noteCounted(_ redemptions: [UncountedRedemption]) async throws(StoreError)
}

extension RedemptionStore {
    /// The nonces of the signatures that purchases redeemed, by the id of each, whichever of its ids is recorded.
    public func nonces(
        redeemedBy purchases: [PurchaseTransaction],
        partition: AppPartition
    ) async throws(StoreError) -> [ExactText: UUID] {
        let known = try await nonces(redeemedBy: purchases.flatMap(\.ids), partition: partition)
        var nonces: [ExactText: UUID] = [:]
        for purchase in purchases { nonces[ExactText(purchase.id)] = purchase.ids.lazy.compactMap { known[ExactText($0)] }.first }
        return nonces
    }
}

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
    /// Whether the purchase is recorded under another of its ids, too, and counts there.
    ///
    /// That happens if both ids were recorded before a source showed that they are one purchase.
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
