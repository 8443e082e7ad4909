/// Why a verdict is what it is: a stable code, and a sentence for people.
public enum Reason: String, Sendable, CaseIterable {
    case newCustomer = "new-customer"
    case newToSubscriptionGroup = "new-to-subscription-group"
    case lapsedWithoutIntroductoryOffer = "lapsed-without-introductory-offer"
    case introductoryOfferUsed = "introductory-offer-used"
    case currentSubscriber = "current-subscriber"
    case activeSubscriber = "active-subscriber"
    case subscriberInGracePeriod = "subscriber-in-grace-period"
    case subscriberInBillingRetry = "subscriber-in-billing-retry"
    case lapsedSubscriber = "lapsed-subscriber"
    case revokedSubscriber = "revoked-subscriber"
    case neverSubscribed = "never-subscribed"
    case familySharedOnly = "family-shared-only"
    case noHistory = "no-history"
    case customerNotNamed = "customer-not-named"
    case incompleteHistory = "incomplete-history"
    case unknownProduct = "unknown-product"
    case noIntroductoryOffer = "no-introductory-offer"
    case noPromotionalOffer = "no-promotional-offer"
    case sandboxHistory = "sandbox-history"
    case familySharedNotCounted = "family-shared-not-counted"
    case renewalUnconfirmed = "renewal-unconfirmed"

    /// The stable code.
    public var code: String { rawValue }

    /// One plain sentence.
    public var message: StaticString {
        switch self {
        case .newCustomer: "The customer has never bought a subscription in this app."
        case .newToSubscriptionGroup: "The customer has never bought a subscription of this group."
        case .lapsedWithoutIntroductoryOffer:
            "The customer's subscription has ended, and none of its periods used an introductory offer."
        case .introductoryOfferUsed:
            "The customer has used an introductory offer of this subscription group; a refund does not give it back."
        case .currentSubscriber: "The customer is subscribed to this group; introductory offers are for those who are not."
        case .activeSubscriber: "The customer is subscribed."
        case .subscriberInGracePeriod: "The customer is subscribed and in the billing grace period."
        case .subscriberInBillingRetry: "The customer is subscribed, and the App Store is trying to collect the price."
        case .lapsedSubscriber: "The customer was subscribed before."
        case .revokedSubscriber: "The customer was subscribed before; the last period was refunded or revoked."
        case .neverSubscribed:
            "The customer has never subscribed in this app, and the App Store gives promotional offers to current and former subscribers only."
        case .familySharedOnly:
            "The customer has the subscription only through Family Sharing; the App Store gives promotional offers to those who bought one."
        case .noHistory: "No purchase history of this customer has ever been supplied, and this app requires one."
        case .customerNotNamed:
            "The request does not say who the customer is; give customerId, appAccountToken or transactionId."
        case .incompleteHistory:
            "The history begins in the middle of a subscription, so an introductory offer may have been used before; supply the whole history."
        case .unknownProduct:
            "The history holds a subscription whose group neither the App Store's data nor the catalogue tells; add the product to the catalogue."
        case .noIntroductoryOffer: "The catalogue has no introductory offer for this product."
        case .noPromotionalOffer: "The catalogue has no such promotional offer for this product."
        case .sandboxHistory:
            "The deciding purchase is from the sandbox, where eligibility can be reset in App Store Connect; the App Store may differ."
        case .familySharedNotCounted: "Subscriptions shared by a family member were not counted as this customer's own."
        case .renewalUnconfirmed:
            "The last period has run out although the subscription was set to renew; news of the renewal may be missing."
        }
    }
}
