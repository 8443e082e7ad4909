import OfferService
import WireText

extension Operation {
    static let checkEligibility = Operation(
        id: "checkEligibility", method: .post, path: "/v1/eligibility", access: .needsOrEndUser(.sign),
        about: About(
            tag: "eligibility",
            summary: "Say which offers a customer may have, and why",
            text: """
                Answers from the stored purchase history, after storing what the request brings along; the App Store is not \
                asked. The rules and the reasons are in docs/eligibility.md.
                """,
            body: Body(
                .eligibilityRequest, size: BodySize.usual,
                examples: [
                    Example(
                        "customer",
                        #"""
                        {"bundleId": "com.example.app", "customerId": "u-123", "products": ["com.example.pro.monthly"]}
                        """#),
                    Example("transaction", #"{"bundleId": "com.example.app", "transactionId": "2000000123456789"}"#),
                ]),
            successes: [
                Success(
                    "One element for each product.", "EligibilityAnswer", isPrivate: false,
                    examples: [
                        Example(
                            "lapsed",
                            #"""
                            {"asOf": 1795247400000, "history": "complete", "historyUpdatedAt": 1795161000000,
                            "products": [{"productId": "com.example.pro.monthly", "subscriptionGroupId": "20563228",
                            "subscription": {"state": "expired", "productId": "com.example.pro.monthly",
                            "expiresAt": 1793865000000, "willRenew": false, "originalTransactionId": "2000000123456789"},
                            "introductoryOffer": {"status": "ineligible", "reasons": [{"code": "introductory-offer-used",
                            "message": "The customer has used an introductory offer of this subscription group; a refund doe\#
                            s not give it back."}], "evidence": {"transactionId": "2000000123456789"}},
                            "promotionalOffers": [{"offerId": "winback50", "status": "eligible",
                            "reasons": [{"code": "lapsed-subscriber", "message": "The customer was subscribed before."}],
                            "evidence": {"transactionId": "2000000129876543"}}], "winBackOffers": []}]}
                            """#),
                        Example(
                            "new",
                            #"""
                            {"asOf": 1795247400000, "history": "none", "historyUpdatedAt": null,
                            "products": [{"productId": "com.example.pro.monthly", "subscriptionGroupId": "20563228",
                            "subscription": {"state": "never"}, "introductoryOffer": {"status": "eligible",
                            "reasons": [{"code": "new-customer",
                            "message": "The customer has never bought a subscription in this app."}], "evidence": {}},
                            "promotionalOffers": [{"offerId": "winback50", "status": "ineligible",
                            "reasons": [{"code": "never-subscribed",
                            "message": "The customer has never subscribed in this app, and the App Store gives promotional o\#
                            ffers to current and former subscribers only."}]}], "winBackOffers": []}]}
                            """#),
                    ])
            ],
            problems: [404: "UnknownProduct", 409: "BoundToAnotherCustomer", 413: "LargeBodyTooLarge", 422: "SignedDataRefused"]))
}

extension NamedSchema {
    static let eligibilityRequest = NamedSchema(
        "EligibilityRequest",
        """
        Asks which offers a customer may have. At least one of customerId, appAccountToken, transactionId and \
        appTransactionId is required.
        """,
        [
            .bundleID,
            .environment,
            .customerOrSubject,
            .appAccountToken,
            .transactionID,
            .appTransactionID,
            Field(
                optional: "products",
                .list(
                    .name.with("description", "The product id of the subscription, from the catalogue.").with(
                        "examples", ["com.example.pro.monthly"]), RequestBounds.products
                ).orNull,
                "Product ids from the catalogue; the answer has the same order. Left out: every product of the catalogue."),
            .billingPlan,
            Field(
                optional: "signedTransactions",
                .signedData(RequestBounds.histories).orNull,
                """
                StoreKit 2 transactions that the client holds, as signed. They are verified and stored first, all of them or \
                none, so that the answer counts them.
                """),
        ])

    static let eligibilityAnswer = NamedSchema(
        "EligibilityAnswer",
        "What the customer may have, product by product.",
        [
            Field(
                "asOf", .time,
                "The instant that the answer is about: now. Milliseconds since 1970-01-01T00:00:00Z.",
                example: 1_795_247_400_000),
            Field(
                "history", .known("none", "partial", "complete"),
                "How much of the customer's purchases is known: nothing, some of them, or all of the Apple account."),
            Field(
                "historyUpdatedAt", .time.orNull,
                """
                When this customer's history was last supplied or changed; `null` when nothing was ever supplied. \
                Milliseconds since 1970-01-01T00:00:00Z.
                """,
                example: 1_795_161_000_000),
            Field(
                optional: "subscriptionOwner", .known("same", "another", "nobody"),
                """
                The owner of the running subscription of the Apple account that `appTransactionId` or `signedTransactions` \
                name. `another`: a purchase would move it, so warn first. `nobody`: none runs, or it is bound to no \
                customer.
                """),
            Field("products", .list(.named("ProductEligibility"))),
        ])

    static let productEligibility = NamedSchema(
        "ProductEligibility",
        "One product and its offers.",
        [
            .productID,
            Field("subscriptionGroupId", .someText, "The product's group, from the catalogue.", example: "20563228"),
            Field("subscription", .named("Subscription")),
            Field("introductoryOffer", .named("IntroductoryOfferEligibility")),
            Field(
                "promotionalOffers", .list(.named("PromotionalOfferEligibility")),
                "Every promotional offer that the catalogue has for the product."),
            Field(
                "winBackOffers", .list(.someText),
                """
                Ids of the win-back offers that the App Store has named for this customer, best first. They need no \
                signature.
                """),
            Field(
                optional: "winBackOfferLinks", .map(.someText),
                """
                The direct links of these win-back offers, by offer id: the app opens one, and the App Store gives the offer. \
                Only offers whose `link` the catalogue has.
                """,
                example: JSONValue(json: #"{"back50": "https://apps.apple.com/app/id1234567890?offer=back50"}"#)),
        ])

    static let subscription = NamedSchema(
        "Subscription",
        "The customer's subscription in the group of the product, whichever product it is. What is not known is left out.",
        .object([
            Field(
                "state", .known("never", "active", "grace-period", "billing-retry", "expired", "revoked"),
                """
                `never`: there has been none. `active`: a period runs. `grace-period`: expired, with the service going on. \
                `billing-retry`: expired, and the App Store tries to collect the price. `expired`: ended. `revoked`: \
                refunded, or Family Sharing has ended.
                """),
            Field(
                optional: "productId", .name,
                "The product of the deciding period; the catalogue need not have it.",
                example: "com.example.pro.monthly"),
            Field(
                optional: "expiresAt", .time,
                "When the deciding period ends or ended. Milliseconds since 1970-01-01T00:00:00Z.",
                example: 1_793_865_000_000),
            Field(optional: "willRenew", .flag, "Whether it will renew, as was said last."),
            Field(optional: "originalTransactionId", .someText, "Names the subscription.", example: "2000000123456789"),
        ]).with("if", JSONValue(json: #"{"properties": {"state": {"const": "never"}}}"#)).with(
            "then", JSONValue(json: #"{"maxProperties": 1}"#)
        ).with("else", JSONValue(json: #"{"required": ["productId", "expiresAt", "originalTransactionId"]}"#)))

    static let introductoryOfferEligibility = NamedSchema(
        "IntroductoryOfferEligibility",
        "Whether the customer may have the introductory offer of the product.",
        [
            Field("status", .known("eligible", "ineligible", "unknown", "no-offer")),
            Field("reasons", .named("Reasons")),
            Field("evidence", .named("Evidence")),
        ])

    static let promotionalOfferEligibility = NamedSchema(
        "PromotionalOfferEligibility",
        "Whether the customer may have a promotional offer of the product.",
        [
            .offerID,
            Field("status", .known("eligible", "ineligible", "unknown", "no-offer")),
            Field("reasons", .named("Reasons")),
            Field(optional: "evidence", .named("Evidence"), "The transaction that decided; left out where none did."),
        ])
}
