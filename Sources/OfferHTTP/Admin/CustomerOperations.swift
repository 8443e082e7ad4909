import OfferService
import WireText

extension Operation {
    static let getCustomer = Operation(
        id: "getCustomer", method: .get, path: "/v1/customers/{customerId}", access: .needs(.customers),
        about: About(
            tag: "customers",
            summary: "Say what is known of a customer",
            text: """
                The facts that rules can use, computed from all stored purchases. docs/customers.md explains each field. Prices \
                are in thousandths of the currency's unit.
                """,
            parameters: ["customerId", "bundleIdInQuery", "environmentInQuery"],
            successes: [
                Success("The facts.", "CustomerFacts")
            ],
            problems: [404: "UnknownCustomer"]))

    static let eraseCustomer = Operation(
        id: "eraseCustomer", method: .delete, path: "/v1/customers/{customerId}", access: .needs(.customers),
        about: About(
            tag: "customers",
            summary: "Erase a customer",
            text: """
                Removes the customer's names from everything that is stored for the app. The answer lists what stays without a \
                name.
                """,
            parameters: ["customerId", "bundleIdInQuery"],
            successes: [
                Success(
                    "What was done, and what stays.", "CustomerErasure",
                    examples: [
                        Example(
                            "erased",
                            #"""
                            {"status": "erased", "bundleId": "com.example.app", "erasedAt": 1795312800000, "purchases": 2,
                            "notifications": 31, "ledgerRows": 7, "stays": [{"what": "ledger", "count": 7,
                            "until": 1829872800000}, {"what": "stored-answers", "count": null, "until": 1795402800000},
                            {"what": "purchases", "count": 2, "until": null}, {"what": "audit-events", "count": null,
                            "until": null}]}
                            """#)
                    ])
            ],
            problems: [404: "UnknownCustomer"]))

    static let getCustomerTimeline = Operation(
        id: "getCustomerTimeline", method: .get, path: "/v1/customers/{customerId}/timeline", access: .needs(.customers),
        about: About(
            tag: "customers",
            summary: "Say what happened to a customer",
            text: "Purchases, renewals, refunds, notifications, signatures and refusals, oldest first.",
            parameters: ["customerId", "bundleIdInQuery", "environmentInQuery", "limit", "timelineAfter"],
            successes: [
                Success("The events.", "CustomerTimeline")
            ],
            problems: [404: "UnknownCustomer"]))

    static let exportCustomer = Operation(
        id: "exportCustomer", method: .get, path: "/v1/customers/{customerId}/export", access: .needs(.customers),
        about: About(
            tag: "customers",
            summary: "Export all that is stored of a customer",
            text: "One JSON object, streamed; looks through the whole ledger. The audit log gets a `customer.export`.",
            parameters: ["customerId", "bundleIdInQuery", "environmentInQuery"],
            successes: [
                Success("Everything.", "CustomerExport")
            ],
            problems: [404: "UnknownCustomer"]))

    static let stateConsumptionConsent = Operation(
        id: "stateConsumptionConsent", method: .put, path: "/v1/customers/{customerId}/consumption-consent",
        access: .needs(.customers),
        about: About(
            tag: "customers",
            summary: "State whether a customer lets the App Store have consumption information",
            text: """
                The latest statement counts, in every environment of the app. Without consent no refund request is answered. The \
                audit log gets a `customer.consent`.
                """,
            parameters: ["customerId"],
            body: Body(
                .consentRequest,
                examples: [
                    Example("given", #"{"bundleId": "com.example.app", "consented": true}"#),
                    Example("withdrawn", #"{"bundleId": "com.example.app", "consented": false}"#),
                ]),
            successes: [
                Success(
                    "It counts from now on.", "ConsentAnswer", isPrivate: false,
                    examples: [
                        Example("given", #"{"consented": true, "statedAt": 1784628000000}"#)
                    ])
            ],
            problems: [404: "UnknownApp", 413: "BodyTooLarge"]))
}

extension NamedSchema {
    static let consentRequest = NamedSchema(
        "ConsentRequest",
        "What the customer has said to the app.",
        [
            Field(
                optional: "bundleId", .name.orNull,
                "The app. May be left out when the access key is limited to one app, or when the service has just one app.",
                example: "com.example.app"),
            Field("consented", .flag, "Whether the App Store may have consumption information."),
        ])

    static let consentAnswer = NamedSchema(
        "ConsentAnswer",
        "What counts.",
        [
            Field("consented", .flag, "Whether the App Store may have consumption information."),
            Field("statedAt", .integer, "When it was stated."),
        ])

    static let lastStatement = NamedSchema(
        "LastStatement",
        "The App Store's last statement; null where there is none.",
        .object([
            Field("at", .integer, "The App Store's own time of it, in ms since 1970."),
            Field("source", .known("notification-v1", "receipt", "signed-data"), "Where it came from."),
        ]).orNull)

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
            Field(
                "price", .integer.orNull,
                """
                What was charged, all seats together, before refunds, in thousandths of the currency's unit: 9990 are 9.99. \
                Null where the App Store has not said it.
                """),
            Field(
                "paid", .integer.orNull,
                """
                What the customer has paid of it, less refunds, in the same unit: 0 if it was free or wholly refunded, or if \
                another person pays. Null where the price or the refund is not known.
                """),
            Field("currency", .text.orNull, "ISO 4217."),
            Field("storefront", .text.orNull, "ISO 3166-1 alpha-3."),
            Field(
                "renewalPrice", .integer.orNull,
                "In thousandths of the currency's unit: 9990 are 9.99. Null where the App Store has not said it."),
            Field("firstSubscribedAt", .integer.orNull, "Begin of the customer's first own period."),
            Field("daysSubscribed", .integer(0...), "Whole days of own periods so far."),
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
            Field(
                "price", .integer.orNull,
                """
                What was charged, all seats together, before refunds, in thousandths of the currency's unit: 9990 are 9.99. \
                Null where the App Store has not said it.
                """),
            Field(
                "paid", .integer.orNull,
                """
                What the customer has paid of it, less refunds, in the same unit: 0 if it was free or wholly refunded, or if \
                another person pays. Null where the price or the refund is not known.
                """),
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
            Field(
                "price", .integer.orNull,
                """
                What was charged, all seats together, before refunds, in thousandths of the currency's unit: 9990 are 9.99. \
                Null where the App Store has not said it.
                """),
            Field(
                "paid", .integer.orNull,
                """
                What the customer has paid of it, less refunds, in the same unit: 0 if it was free or wholly refunded, or if \
                another person pays. Null where the price or the refund is not known.
                """),
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

    static let customerEvent = NamedSchema(
        "CustomerEvent",
        "Something that happened to a customer.",
        [
            Field("id", .text, "Tells it from the customer's others."),
            Field("at", .integer, "When, in ms since 1970."),
            Field(
                "kind",
                .known(
                    "purchase", "renewal", "product-change", "resumption", "lapse", "seat-addition", "seat-refund", "refund",
                    "revocation", "renewal-statement", "notification", "signature", "refusal"),
                "What happened."),
            Field(optional: "originalTransactionId", .text, "The subscription."),
            Field(optional: "transactionId", .text, "The purchase that it is about, or that decided."),
            Field(optional: "productId", .text, "The product."),
            Field(optional: "ownership", .text, "Who paid for it."),
            Field(optional: "offerKind", .text, "Of which kind the offer is that it was bought with."),
            Field(optional: "offerId", .text, "The offer."),
            Field(optional: "expiresAt", .integer, "End of the period."),
            Field(
                optional: "price", .integer,
                "What was charged, all seats together, before refunds, in thousandths of the currency's unit."),
            Field(
                optional: "paid", .integer,
                "What the customer has paid of it, less refunds, in the same unit; left out where it is not known."),
            Field(optional: "currency", .text, "ISO 4217."),
            Field(optional: "version", .integer, "Of a notification."),
            Field(optional: "type", .text, "Of a notification, in Apple's words."),
            Field(optional: "subtype", .text, "Of a notification, in Apple's words."),
            Field(optional: "willRenew", .flag, "Whether it will renew."),
            Field(optional: "nextProductId", .text, "What it will renew to."),
            Field(optional: "expirationIntent", .integer, "Apple's number."),
            Field(optional: "inBillingRetry", .flag, "Whether the App Store tries to collect the price."),
            Field(optional: "gracePeriodExpiresAt", .integer, "When the grace period ends."),
            Field(optional: "nonce", .text, "Of a signature."),
            Field(optional: "keyIdentifier", .text, "The key that signed."),
            Field(optional: "redeemedBy", .text, "The transaction that redeemed the signature."),
            Field(optional: "reason", .text, "Why an offer was refused."),
        ])

    static let customerTimeline = NamedSchema(
        "CustomerTimeline",
        "What happened, oldest first.",
        [
            Field("items", .list(.named("CustomerEvent")), "The events."),
            Field("next", .text.orNull, "What to give as `after` for the rest; null where there is none."),
            Field(
                "signaturesSince", .integer.orNull,
                "Older signatures are listed only if they were redeemed; null where all are listed."),
        ])

    static let customerExport = NamedSchema(
        "CustomerExport",
        "All that is stored of a customer.",
        [
            Field("customerId", .text, "Who."),
            Field("bundleId", .text, "In which app."),
            Field("environment", .text, "In which environment."),
            Field("exportedAt", .integer, "When."),
            Field(
                "facts", .anyObject.with("additionalProperties", true).orNull,
                "As `GET /v1/customers/{customerId}` answers; null where no purchases are known."),
            Field(
                "consumptionConsent", .anyObject.with("additionalProperties", true).orNull,
                """
                Whether the customer lets the App Store have consumption information, and since when; null where it was \
                never stated.
                """),
            Field(
                "purchases", .list(.anyObject.with("additionalProperties", true)),
                "Subscriptions and other purchases, with every transaction."),
            Field("notifications", .list(.anyObject.with("additionalProperties", true)), "Raw notifications about them."),
            Field("signatures", .list(.anyObject.with("additionalProperties", true)), "Requests that were signed for."),
            Field("refusals", .list(.anyObject.with("additionalProperties", true)), "Requests that were refused."),
            Field("exposures", .list(.anyObject.with("additionalProperties", true)), "Campaigns that have taken the customer."),
            Field(
                "exclusionHolds", .list(.anyObject.with("additionalProperties", true)),
                "Campaigns of exclusion groups that the customer is held by."),
            Field(
                "testers", .list(.anyObject.with("additionalProperties", true)),
                "The customer's entries among the testers of campaigns, in whatever environment."),
            Field("rehearsals", .list(.anyObject.with("additionalProperties", true)), "What the customer has met as a tester."),
            Field("auditEvents", .list(.anyObject.with("additionalProperties", true)), "What was done to the customer."),
        ])

    static let remainder = NamedSchema(
        "Remainder",
        "Something that stays without a name.",
        [
            Field("what", .known("ledger", "stored-answers", "purchases", "audit-events"), "What."),
            Field("count", .integer(0...).orNull, "How many; null where that is not known."),
            Field("until", .integer.orNull, "Until when, in ms since 1970; null: for ever."),
        ])

    static let customerErasure = NamedSchema(
        "CustomerErasure",
        "What erasing has done, and what stays.",
        [
            Field("status", .known("erased"), "Done."),
            Field("bundleId", .text, "In which app."),
            Field("erasedAt", .integer, "When."),
            Field("purchases", .integer(0...), "Subscriptions and other purchases that belong to no customer now."),
            Field("notifications", .integer(0...), "Notifications without content now."),
            Field("ledgerRows", .integer(0...), "Signatures, refusals and audit events that name no customer now."),
            Field("stays", .list(.named("Remainder")), "What stays."),
        ])
}
