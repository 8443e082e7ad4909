/// A fact about a customer that conditions can test.
///
/// The raw value is its name in a campaign.
public enum ConditionFact: String, Sendable, CaseIterable {
    case subscriptionState = "subscription.state"
    case subscriptionProductID = "subscription.productId"
    case subscriptionDaysSinceLapse = "subscription.daysSinceLapse"
    case subscriptionDaysUntilRenewal = "subscription.daysUntilRenewal"
    case subscriptionDaysSubscribed = "subscription.daysSubscribed"
    case subscriptionPaidPeriods = "subscription.paidPeriods"
    case subscriptionWillRenew = "subscription.willRenew"
    case subscriptionExpirationIntent = "subscription.expirationIntent"
    case subscriptionStorefront = "subscription.storefront"
    case subscriptionPrice = "subscription.price"
    case subscriptionBillingPlan = "subscription.billingPlan"
    case introductoryUsed = "introductory.used"
    case offersRedeemed = "offers.redeemed"
    case offersRedeemedCount = "offers.redeemedCount"
    case offersDaysSinceLast = "offers.daysSinceLast"
    case refundsCount = "refunds.count"
    case customerDaysSinceFirstPurchase = "customer.daysSinceFirstPurchase"
    case environment

    /// The type of a fact's values.
    public enum Kind: String, Sendable {
        case text, number, boolean, texts
    }

    /// The type of the fact's values.
    ///
    /// Numbers are whole and not negative.
    public var kind: Kind {
        switch self {
        case .subscriptionState, .subscriptionProductID, .subscriptionStorefront, .subscriptionBillingPlan, .environment: .text
        case .subscriptionWillRenew, .introductoryUsed: .boolean
        case .offersRedeemed: .texts
        default: .number
        }
    }

    /// Whether the fact is about the subscription in one group, so that a test must name the group.
    public var needsGroup: Bool { rawValue.utf8.starts(with: "subscription.".utf8) }

    /// Whether a test of the fact may name a subscription group.
    public var takesGroup: Bool { needsGroup || self == .introductoryUsed }

    /// All values that the fact can have; nil if they cannot be enumerated.
    public var values: [ConditionValue]? {
        switch self {
        case .subscriptionState: SubscriptionState.allCases.map { .text($0.rawValue) }
        case .subscriptionBillingPlan: BillingPlan.allCases.map { .text($0.rawValue) }
        case .environment: PurchaseEnvironment.allCases.filter { $0 != .unrecognised }.map { .text($0.name) }
        case .subscriptionWillRenew, .introductoryUsed: [false, true]
        default: nil
        }
    }

    /// Whether the summary of a history gives the same value as the whole history (`PurchaseChain.summary(from:)`).
    public var isInSummary: Bool {
        switch self {
        case .subscriptionState, .subscriptionProductID, .subscriptionDaysSinceLapse, .subscriptionDaysUntilRenewal,
            .subscriptionWillRenew, .introductoryUsed, .environment:
            true
        default: false
        }
    }

    /// Whether the fact has a value for every customer.
    public var isAlwaysKnown: Bool {
        switch self {
        case .offersRedeemed, .offersRedeemedCount, .refundsCount, .environment: true
        default: false
        }
    }
}
