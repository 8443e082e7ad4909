public import EligibilityRules
public import FoundationEssentials

/// The promotional offers that customers redeemed, tied to the signatures that let them.
public protocol RedemptionStore: Sendable {
    /// Looks for the signature of each redemption that has not been looked at, oldest first, and notes what it finds.
    ///
    /// A redemption belongs to the last unredeemed signature for the same customer, product and offer of the 24 hours before it.
    /// Returns how many were looked at and how many were tied.
    func tieRedemptions(
        limit: Int,
        now: Instant
    ) async throws(StoreError) -> (examined: Int, tied: Int)

    /// The signature that a transaction redeemed; nil if none is known.
    func nonce(redeemedBy transactionID: String, partition: AppPartition) async throws(StoreError) -> UUID?

    /// The signatures that transactions redeemed, by transaction; those of which none is known are left out.
    func nonces(redeemedBy transactionIDs: [String], partition: AppPartition) async throws(StoreError) -> [ExactText: UUID]

    /// Redemptions that were never counted, or have changed since: of one subscription, or, oldest first, of all.
    ///
    /// - Parameter originalTransactionID: the subscription's; nil for all.
    func uncounted(
        partition: AppPartition?,
        originalTransactionID: String?,
        limit: Int
    ) async throws(StoreError) -> [UncountedRedemption]

    /// Notes that they have been counted; one that has changed meanwhile stays uncounted.
    func noteCounted(_ redemptions: [UncountedRedemption]) async throws(StoreError)
}
