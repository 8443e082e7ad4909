public import EligibilityRules

/// The sealed receipt of a subscription, to be stored.
public struct KeptReceipt: Equatable, Sendable {
    /// Identifies the subscription.
    public let originalTransactionID: String
    /// The encrypted receipt. Only a holder of the secret can decrypt it, and only for this subscription.
    public let sealed: [UInt8]
    /// The latest instant that the receipt covers, which shows which of two receipts is newer.
    public let shownAt: Instant
    /// When the App Store last verified it; nil for never.
    public let verifiedAt: Instant?

    /// Stores the given values without checking them.
    public init(originalTransactionID: String, sealed: [UInt8], shownAt: Instant, verifiedAt: Instant?) {
        self.originalTransactionID = originalTransactionID
        self.sealed = sealed
        self.shownAt = shownAt
        self.verifiedAt = verifiedAt
    }

    /// When to verify it with the App Store next; nil for never.
    ///
    /// - Parameter chain: the stored chain of the subscription.
    package func due(_ chain: PurchaseChain, at now: Instant) -> Instant? {
        PollSchedule.next(for: chain, after: now, lastAsked: verifiedAt, sweeps: false)
    }
}
