public import EligibilityRules

/// The receipt of a subscription, sealed, on its way into the store.
public struct KeptReceipt: Equatable, Sendable {
    /// Names the subscription.
    public let originalTransactionID: String
    /// The receipt; only whoever has the secret can read it, and only as this subscription's.
    public let sealed: [UInt8]
    /// The latest instant of which it tells.
    public let shownAt: Instant
    /// When the App Store was asked about it; nil if it was not.
    public let verifiedAt: Instant?

    /// Takes the values as they are.
    public init(originalTransactionID: String, sealed: [UInt8], shownAt: Instant, verifiedAt: Instant?) {
        self.originalTransactionID = originalTransactionID
        self.sealed = sealed
        self.shownAt = shownAt
        self.verifiedAt = verifiedAt
    }

    /// When the App Store is to be asked with it; nil: never.
    ///
    /// - Parameter chain: what is known of the subscription.
    package func due(_ chain: PurchaseChain, at now: Instant) -> Instant? {
        PollSchedule.next(for: chain, after: now, lastAsked: verifiedAt, sweeps: false)
    }
}
