/// The state of a subscription at an instant.
public enum SubscriptionState: String, Sendable, CaseIterable {
    /// There has been no subscription.
    case never
    /// The current period is paid, or is a free trial.
    case active
    /// The period has ended unpaid, but service continues while the App Store tries to collect the price.
    case gracePeriod = "grace-period"
    /// The period has ended unpaid and without service, and for up to 60 days the App Store tries to collect the price.
    case billingRetry = "billing-retry"
    /// The subscription has ended.
    case expired
    /// The last period was refunded, or its Family Sharing has ended.
    case revoked

    /// Whether Apple counts the customer as a current subscriber, which includes grace period and billing retry.
    public var isCurrent: Bool { self == .active || self == .gracePeriod || self == .billingRetry }
}
