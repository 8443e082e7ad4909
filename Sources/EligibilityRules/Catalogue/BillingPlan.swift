/// How a subscription is paid for.
public enum BillingPlan: String, Sendable, CaseIterable {
    /// Each period is paid for when it begins.
    ///
    /// Apple calls this `BILLED_UPFRONT` in purchases, and `UPFRONT` in App Store Connect.
    case upfront
    /// The customer commits to twelve months, and pays monthly.
    ///
    /// Apple calls this `MONTHLY`. A month is the period of such a subscription, so the period's end is not the commitment's end.
    case monthly

    /// The plan by Apple's name in purchases and in Retention Messaging; nil for any other text.
    public init?(appleName: String) {
        guard let plan = BillingPlan.allCases.first(where: { $0.appleName == appleName }) else { return nil }
        self = plan
    }

    /// Apple's name in purchases and in Retention Messaging.
    public var appleName: String {
        switch self {
        case .upfront: "BILLED_UPFRONT"
        case .monthly: "MONTHLY"
        }
    }
}
