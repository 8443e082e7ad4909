import OfferService
import WireText

extension Operation {
    static let getOffers = Operation(
        id: "getOffers", method: .post, path: "/v1/offers", access: .needsOrEndUser(.sign),
        about: About(
            tag: "campaigns",
            summary: "Say which offers campaigns give a customer",
            text: """
                Live campaigns decide, and the service records which of them have taken the customer, durably before it answers. \
                Signs nothing. The exposure does not depend on the variant. docs/campaigns.md explains it.
                """,
            body: Body(
                .offersRequest, size: BodySize.usual,
                examples: [
                    Example(
                        "paywall",
                        #"""
                        {"bundleId": "com.example.app", "customerId": "u-123", "placement": "paywall",
                        "attributes": {"country": "US", "appVersion": "2.10.1"}}
                        """#)
                ]),
            successes: [
                Success(
                    "What the customer gets, and from which campaigns.", "OffersAnswer", isPrivate: false,
                    examples: [
                        Example(
                            "taken",
                            #"""
                            {"offers": [{"productId": "com.example.pro.monthly", "offerId": "winback50",
                            "campaign": {"id": "spring-winback", "revision": 3, "variant": "half"}}],
                            "assignments": [{"campaign": "spring-winback", "revision": 3, "variant": "half"},
                            {"campaign": "price-test", "revision": 1, "variant": "holdout"}]}
                            """#),
                        Example(
                            "never",
                            #"""
                            {"offers": [], "assignments": [], "eligibility": {"status": "ineligible",
                            "reasons": [{"code": "never-subscribed",
                            "message": "The customer has never subscribed in this app, and the App Store gives promotional o\#
                            ffers to current and former subscribers only."}]}}
                            """#),
                    ])
            ],
            problems: [404: "UnknownApp", 409: "BoundToAnotherCustomer", 413: "LargeBodyTooLarge", 422: "SignedDataRefused"]))
}

extension NamedSchema {
    static let offersRequest = NamedSchema(
        "OffersRequest",
        """
        Asks which offers campaigns give a customer. At least one of customerId, appAccountToken, transactionId and \
        appTransactionId is required, except with a token of an end user.
        """,
        [
            .bundleID,
            .environment,
            Field(
                optional: "customerId", .name.orNull,
                """
                The app's own user id. The subscriptions that this request brings are bound to this customer, unless they \
                are bound already. With a token of an end user its `sub` counts in place of this.
                """,
                example: "u-123"),
            Field(
                optional: "appAccountToken", .uuid.orNull,
                """
                The UUID that the app gives StoreKit as appAccountToken, in any case. With a token of an end user only their \
                own: else 403.
                """,
                example: "7e3fb20b-4cdb-47cc-936d-99d65f608138"),
            Field(
                optional: "transactionId", .transactionID.orNull,
                "Any transaction id of the customer. Not with a token of an end user: 403.",
                example: "2000000123456789"),
            .appTransactionID,
            Field(
                optional: "signedTransactions",
                .signedData(RequestBounds.histories).orNull,
                """
                StoreKit 2 transactions that the client holds, as signed. They are verified and stored first, all of them or \
                none, so that the answer counts them.
                """),
            Field(
                optional: "placement", .name.orNull,
                """
                Where in the app offers are asked for. Campaigns for another placement pass the customer over; left out, \
                those of every placement decide. `retention` is the App Store's own and refused.
                """,
                example: "paywall"),
            Field(
                optional: "attributes",
                .anyObject.with("maxProperties", 50).with(
                    "propertyNames", JSONValue(json: #"{"minLength": 1, "maxLength": 255, "pattern": "^[^\\x00\u2063]*$"}"#)
                ).with(
                    "additionalProperties",
                    JSONValue(
                        json:
                            #"{"description": "A text, a finite number or a Boolean.", "type": ["string", "number", "boolean", "null"], "maxLength": 255, "pattern": "^[^\\x00\u2063]*$"}"#
                    )
                ).orNull,
                """
                What the app knows of the customer, for the audiences of campaigns. It is not verified. `null` stands for \
                absent. `storefront` and `appVersion` are kept with the exposure.
                """,
                example: JSONValue(json: #"{"country": "US", "appVersion": "2.10.1"}"#)),
        ])

    static let offersAnswer = NamedSchema(
        "OffersAnswer",
        "What live campaigns give a customer.",
        [
            Field(
                "offers", .list(.named("GivenOffer")),
                "What the app may show, in the order in which campaigns decide; each offer once."),
            Field(
                "assignments", .list(.named("Assignment")),
                "Every campaign that has taken the customer, control and holdout included."),
            Field(optional: "eligibility", .named("Advice")),
        ])

    static let givenOffer = NamedSchema(
        "GivenOffer",
        "An offer that a campaign gives.",
        [
            .productID,
            .offerID,
            Field("campaign", .named("ChoosingCampaign")),
        ])

    static let assignment = NamedSchema(
        "Assignment",
        "A campaign that has taken the customer.",
        [
            Field("campaign", .text(1...64), "The campaign's id.", example: "spring-winback"),
            Field(
                "revision", .integer(0...),
                "The number of its revision that decided; 0: a draft that a tester tries.",
                example: 3),
            Field("variant", .text(1...64), "The id of the variant; `holdout` for a customer who is held out.", example: "half"),
            Field(
                optional: "rehearsal", .always(true),
                """
                True: the customer is one of the campaign's testers, and results do not count it. Left out for every other \
                customer.
                """,
                example: true),
            Field(
                optional: "outsideAudience", .always(true),
                "True: without being a tester the customer would not be in the campaign's audience. Left out otherwise.",
                example: true),
        ])
}
