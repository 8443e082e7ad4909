/// The reason for a verdict: a stable code and a sentence for people.
public enum Reason: Int, Sendable, CaseIterable {
    case newCustomer
    case newToSubscriptionGroup
    case lapsedWithoutIntroductoryOffer
    case introductoryOfferUsed
    case currentSubscriber
    case activeSubscriber
    case subscriberInGracePeriod
    case subscriberInBillingRetry
    case lapsedSubscriber
    case revokedSubscriber
    case neverSubscribed
    case familySharedOnly
    case noHistory
    case customerNotNamed
    case incompleteHistory
    case unknownProduct
    case noIntroductoryOffer
    case noPromotionalOffer
    case sandboxHistory
    case familySharedNotCounted
    case renewalUnconfirmed
    case unrecognisedValue
    case assignedSeatOnly
    case assignedSeatNotCounted
    case catalogueGroupDiffers
    case appleAccountUsedIntroductoryOffer
    case offerLimitReached
    case purchasesInXcode
    case noCampaignOffer
    case otherBillingPlan

    /// The code for programs, which never changes.
    public var code: String { words.code }

    /// The reason as one sentence for people.
    public var message: StaticString { words.message }

    private var words: (code: String, message: StaticString) {
        switch self {
        case .newCustomer:
            (
                "new-customer",
                "The customer has never bought a subscription in this app."
            )
        case .newToSubscriptionGroup:
            (
                "new-to-subscription-group",
                "The customer has never bought a subscription of this group."
            )
        case .lapsedWithoutIntroductoryOffer:
            (
                "lapsed-without-introductory-offer",
                "The customer's subscription has ended, and none of its periods used an introductory offer."
            )
        case .introductoryOfferUsed:
            (
                "introductory-offer-used",
                "The customer has used an introductory offer of this subscription group; a refund does not give it back."
            )
        case .currentSubscriber:
            (
                "current-subscriber",
                "The customer is subscribed to this group; introductory offers are for customers who are not."
            )
        case .activeSubscriber:
            (
                "active-subscriber",
                "The customer is subscribed."
            )
        case .subscriberInGracePeriod:
            (
                "subscriber-in-grace-period",
                "The customer is subscribed and in the billing grace period."
            )
        case .subscriberInBillingRetry:
            (
                "subscriber-in-billing-retry",
                "The customer is subscribed, and the App Store is trying to collect the price."
            )
        case .lapsedSubscriber:
            (
                "lapsed-subscriber",
                "The customer was subscribed before."
            )
        case .revokedSubscriber:
            (
                "revoked-subscriber",
                "The customer was subscribed before; the last period was refunded or revoked."
            )
        case .neverSubscribed:
            (
                "never-subscribed",
                "The customer has never subscribed in this app, and the App Store gives promotional offers to current and former subscribers only."
            )
        case .familySharedOnly:
            (
                "family-shared-only",
                "The customer has the subscription only through Family Sharing; the App Store gives promotional offers to customers who bought one."
            )
        case .noHistory:
            (
                "no-history",
                "No purchase history of this customer has ever been supplied, and this app requires a complete one."
            )
        case .customerNotNamed:
            (
                "customer-not-named",
                "The request does not say who the customer is; give customerId, appAccountToken or transactionId."
            )
        case .incompleteHistory:
            (
                "incomplete-history",
                "The history does not show all purchases, so an introductory offer may have been used before; supply the whole history of the Apple account."
            )
        case .unknownProduct:
            (
                "unknown-product",
                "The group of a subscription is in neither the App Store's data nor the catalogue; add the product to the catalogue."
            )
        case .noIntroductoryOffer:
            (
                "no-introductory-offer",
                "The catalogue has no introductory offer for this product."
            )
        case .noPromotionalOffer:
            (
                "no-promotional-offer",
                "The catalogue has no such promotional offer for this product."
            )
        case .sandboxHistory:
            (
                "sandbox-history",
                "The deciding purchase is from the sandbox, where eligibility can be reset in App Store Connect; the App Store may differ."
            )
        case .familySharedNotCounted:
            (
                "family-shared-not-counted",
                "Subscriptions shared by a family member were not counted as this customer's own."
            )
        case .renewalUnconfirmed:
            (
                "renewal-unconfirmed",
                "The last period has ended, and it is not known whether it renewed; news of the renewal may be missing."
            )
        case .unrecognisedValue:
            (
                "unrecognised-value",
                "The App Store's data of a purchase has a value that this version does not know; see the customer's timeline, and upgrade."
            )
        case .assignedSeatOnly:
            (
                "assigned-seat-only",
                "The customer has the subscription only through a seat that another person paid for; the App Store gives promotional offers to customers who bought one."
            )
        case .assignedSeatNotCounted:
            (
                "assigned-seat-not-counted",
                "Seats that another person paid for were not counted as this customer's own subscriptions."
            )
        case .appleAccountUsedIntroductoryOffer:
            (
                "apple-account-used-introductory-offer",
                "The customer's Apple account has used an introductory offer of this subscription group, in a purchase of another customer of the app."
            )
        case .catalogueGroupDiffers:
            (
                "catalogue-group-differs",
                "The App Store names another subscription group for this product than the catalogue; the App Store's was used. Correct the catalogue."
            )
        case .offerLimitReached:
            (
                "offer-limit-reached",
                "The offer has been signed as often as the catalogue allows; the evidence names the limit, and when it allows one more."
            )
        case .noCampaignOffer:
            (
                "no-campaign-offer",
                "No campaign gives this customer a requested offer, or the limits of the campaign are used up."
            )
        case .otherBillingPlan:
            (
                "other-billing-plan",
                "The offer is configured for another billing plan of the product than the request names."
            )
        case .purchasesInXcode:
            (
                "purchases-in-xcode",
                "Purchases of StoreKit Testing in Xcode are signed by the developer's own Mac and cannot be verified, so nothing is known of them; Xcode itself decides."
            )
        }
    }
}
