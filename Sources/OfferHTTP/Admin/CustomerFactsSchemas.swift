import OfferService
import WireText

extension NamedSchema {
    static let lastStatement = NamedSchema(
        "LastStatement",
        "The App Store's last statement; null where there is none.",
        .object([
            Field("at", .integer, "The App Store's own time of it, in ms since 1970."),
            Field("source", .known("notification-v1", "receipt", "signed-data"), "Where it came from."),
        ]).orNull)

    static let commitment = NamedSchema(
        "Commitment",
        """
        A commitment of several periods of which each is paid when it begins. The period's end is not the commitment's end. \
        Values are null where the App Store has not said them.
        """,
        [
            Field("period", .integer.orNull, "The number of the deciding period, from 1.", example: 3),
            Field("periods", .integer.orNull, "How many periods the customer has committed to.", example: 12),
            Field("endsAt", .integer.orNull, "When the commitment ends. Milliseconds since 1970.", example: 1_795_247_400_000),
            Field("price", .integer.orNull, "The price of the whole commitment, as Apple states it.", example: 119_880),
        ])

    static let subscriptionFacts = NamedSchema(
        "SubscriptionFacts",
        "What is known of the subscription in one group.",
        [
            Field("subscriptionGroupId", .text.orNull, "The group; null where neither the App Store nor the catalogue names it."),
            Field("state", .known("never", "active", "grace-period", "billing-retry", "expired", "revoked"), "What it is."),
            Field("since", .integer.orNull, "Since when, in ms since 1970."),
            Field("until", .integer.orNull, "Until when, as far as is known; null for what has ended."),
            Field(
                "renewalUnconfirmed", .flag,
                "Whether a period ended in the last 60 days, and it is not known whether it renewed."),
            Field("productId", .text.orNull, "Of the period that decides."),
            Field("transactionId", .text.orNull, "Of the period that decides."),
            Field("originalTransactionId", .text.orNull, "Of the period that decides."),
            Field("ownership", .text.orNull, "Who paid for it: `purchased`, `family-shared`, `assigned`, or `unrecognised`."),
            Field("expiresAt", .integer.orNull, "End of the period that decides."),
            Field("willRenew", .flag.orNull, "Whether it will renew; null where that is not known."),
            Field("nextProductId", .text.orNull, "What it will renew to."),
            Field("expirationIntent", .integer.orNull, "Apple's number, also one that this version does not know."),
            Field("priceIncreaseStatus", .integer.orNull, "0: not answered yet; 1: agreed."),
            Field("gracePeriodExpiresAt", .integer.orNull, "When the grace period ends, or has ended."),
            Field("billingRetryEndsAt", .integer.orNull, "Until when the App Store tries to collect the price."),
            Field("statedAt", .integer.orNull, "The time of the last statement about the renewal."),
            .price,
            .paid,
            Field("currency", .text.orNull, "ISO 4217."),
            Field("storefront", .text.orNull, "ISO 3166-1 alpha-3."),
            Field(
                "renewalPrice", .integer.orNull,
                "In thousandths of the currency's unit: 9990 are 9.99. Null where the App Store has not said it."),
            Field("firstSubscribedAt", .integer.orNull, "Begin of the customer's first own period."),
            Field("daysSubscribed", .integer(0...), "Whole days of own periods so far."),
            Field(
                "billingPlan", .known("upfront", "monthly").orNull,
                "The billing plan of the deciding period. Null where the App Store has not said it."),
            Field("commitment", .oneOf(.named("Commitment"), .null), "Null unless the period is part of a commitment."),
            Field("paidPeriods", .integer(0...), "Own periods that cost something and were not refunded."),
            Field("knownFromStart", .flag, "Whether all own periods are known from the first on."),
            Field(
                "daysSinceLapse", .integer(0...).orNull,
                "Whole days since it ended; null while it has not ended, or if that is not known."),
            Field(
                "daysUntilRenewal", .integer(0...).orNull,
                "Whole days until it renews; null unless it is active and known to renew."),
            Field("introductory", .named("IntroductoryUse")),
        ])

    static let introductoryUse = NamedSchema(
        "IntroductoryUse",
        "Whether an introductory offer of the group was used.",
        [
            Field("used", .flag.orNull, "By the customer; null if not known."),
            Field("usedAt", .integer.orNull, "When first."),
            Field("transactionId", .text.orNull, "The first purchase with one."),
            Field("usedByAppleAccount", .flag, "By another customer of the app with the same Apple account."),
        ])

    static let introductorySummary = NamedSchema(
        "IntroductorySummary",
        "Introductory offers of any group.",
        [
            Field("used", .flag.orNull, "Whether one was used; null if not known.")
        ])

    static let purchaseSummary = NamedSchema(
        "PurchaseSummary",
        "The customer's purchases, each period one.",
        [
            Field("purchases", .integer(0...), "How many."),
            Field("firstPurchaseAt", .integer.orNull, "The first."),
            Field("lastPurchaseAt", .integer.orNull, "The last."),
            Field("daysSinceFirstPurchase", .integer(0...).orNull, "Whole days since the first."),
        ])

    static let redemptionSignature = NamedSchema(
        "RedemptionSignature",
        "The signature that allowed it; null where no signature of this service is known.",
        .object([
            Field("nonce", .text, "Its nonce."),
            Field("signedAt", .integer, "When it was signed."),
            Field("keyIdentifier", .text, "The key that signed."),
        ]).orNull)

    static let redemption = NamedSchema(
        "Redemption",
        "An offer that was redeemed.",
        [
            Field("kind", .known("promotional", "offer-code", "win-back", "retention", "unrecognised"), "Of which kind."),
            Field("offerId", .text.orNull, "The offer."),
            Field("productId", .text, "What was bought."),
            Field("subscriptionGroupId", .text.orNull, "Its group."),
            Field("transactionId", .text, "The purchase, or the first of its periods."),
            Field("redeemedAt", .integer, "When."),
            Field("periods", .integer(1...), "How many periods it has paid for so far."),
            Field("refunded", .flag, "Whether it was refunded."),
            .price,
            .paid,
            Field("currency", .text.orNull, "ISO 4217."),
            Field("signature", .named("RedemptionSignature")),
        ])

    static let redemptions = NamedSchema(
        "Redemptions",
        "Offers that were redeemed, introductory ones apart.",
        [
            Field("redeemedCount", .integer(0...), "How many."),
            Field("daysSinceLast", .integer(0...).orNull, "Whole days since the last."),
            Field("redeemed", .list(.named("Redemption")), "Each of them, oldest first."),
        ])

    static let refund = NamedSchema(
        "Refund",
        "A purchase that was refunded or revoked.",
        [
            Field("transactionId", .text, "The purchase."),
            Field("productId", .text, "What was bought."),
            Field("purchasedAt", .integer, "When."),
            Field("refundedAt", .integer, "When it was refunded or revoked."),
            .price,
            .paid,
            Field("currency", .text.orNull, "ISO 4217."),
        ])

    static let refunds = NamedSchema(
        "Refunds",
        "Own purchases that were refunded or revoked.",
        [
            Field("count", .integer(0...), "How many."),
            Field("items", .list(.named("Refund")), "Each of them, oldest first."),
        ])

    static let customerPurchase = NamedSchema(
        "CustomerPurchase",
        "A subscription or another purchase that is the customer's.",
        [
            Field("originalTransactionId", .text, "Its id."),
            Field("environment", .text.orNull, "Where it was bought."),
            Field("subscriptionGroupId", .text.orNull, "Its group, as the App Store says."),
            Field("appAccountToken", .text.orNull, "The UUID that the app gave it."),
            Field("appTransactionId", .text.orNull, "The Apple account."),
            Field("previousOriginalTransactionId", .text.orNull, "The subscription whose place it took."),
        ])

    static let customerLinks = NamedSchema(
        "CustomerLinks",
        "What leads from the customer to purchases.",
        [
            Field("aliases", .list(.text), "Other ids of the customer's."),
            Field("appAccountTokens", .list(.text), "Account tokens of the purchases."),
            Field("appTransactionIds", .list(.text), "The Apple accounts."),
            Field("applicationUsernames", .list(.text), "User names of signatures that were redeemed."),
            Field("purchases", .list(.named("CustomerPurchase")), "Subscriptions and other purchases."),
        ])

    static let unrecognisedValue = NamedSchema(
        "UnrecognisedValue",
        "Something that the App Store has said and this version does not know.",
        [
            Field("field", .text, "Apple's name of the field."),
            Field("value", .text, "As it came."),
        ])

    static let customerFacts = NamedSchema(
        "CustomerFacts",
        "What is known of a customer.",
        [
            Field("asOf", .integer, "When, in ms since 1970."),
            Field("customerId", .text, "Who."),
            Field(
                "environment", .known("Production", "Sandbox", "Xcode", "unrecognised"),
                "Of which environment; `unrecognised` for one that this version does not know."),
            Field("history", .known("none", "partial", "complete"), "How much is known."),
            Field("historyUpdatedAt", .integer.orNull, "When anything of it last changed here."),
            Field("lastStatement", .named("LastStatement")),
            Field("customer", .named("PurchaseSummary")),
            Field("subscriptions", .list(.named("SubscriptionFacts")), "By group."),
            Field("introductory", .named("IntroductorySummary")),
            Field("offers", .named("Redemptions")),
            Field("refunds", .named("Refunds")),
            Field("links", .named("CustomerLinks")),
            Field("unrecognised", .list(.named("UnrecognisedValue")), "What is not understood."),
        ])
}
