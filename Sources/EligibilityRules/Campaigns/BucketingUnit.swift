/// The experimental unit: an id that the service has verified, never one that a caller can choose.
public enum BucketingUnit: String, Sendable, CaseIterable {
    /// The app's own user id, if purchases are bound to it or an end user's token names it.
    case customer
    /// The Apple account, by `appTransactionId`.
    case appTransaction
    /// The first subscription or purchase, by `originalTransactionId`.
    case originalTransaction
}
