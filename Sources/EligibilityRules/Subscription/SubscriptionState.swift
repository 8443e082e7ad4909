/// The state of a subscription at an instant.
public enum SubscriptionState: String, Sendable, CaseIterable {
    /// There has been none.
    case never
    /// Paid up, or in a free trial.
    case active
    /// Expired, but the App Store continues service while it tries to collect the price.
    case gracePeriod = "grace-period"
    /// Expired; the App Store has been trying to collect the price for up to 60 days.
    case billingRetry = "billing-retry"
    /// Ended.
    case expired
    /// Revoked: refunded, or Family Sharing has ended.
    case revoked

    /// Whether Apple counts the customer as a current subscriber, which includes grace period and billing retry.
    public var isCurrent: Bool { self == .active || self == .gracePeriod || self == .billingRetry }
}
