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
            .bundleID,
            Field("consented", .flag, "Whether the App Store may have consumption information."),
        ])

    static let consentAnswer = NamedSchema(
        "ConsentAnswer",
        "What counts.",
        [
            Field("consented", .flag, "Whether the App Store may have consumption information."),
            Field("statedAt", .integer, "When it was stated."),
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
            .next,
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
