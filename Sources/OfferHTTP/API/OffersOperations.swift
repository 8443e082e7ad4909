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
                            "trial",
                            #"""
                            {"offers": [{"productId": "com.example.pro.monthly", "introductoryOffer": {"allow": true},
                            "campaign": {"id": "trial-test", "revision": 1, "variant": "with-trial"}}],
                            "assignments": [{"campaign": "trial-test", "revision": 1, "variant": "with-trial"}],
                            "eligibility": {"status": "ineligible", "reasons": [{"code": "never-subscribed",
                            "message": "The customer has never subscribed in this app, and the App Store gives promotional o\#
                            ffers to current and former subscribers only."}]}}
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
        Asks which offers campaigns give a customer. At least one of customerId, appAccountToken, transactionId, \
        appTransactionId and signedAppTransaction is required, except with a token of an end user.
        """,
        [
            .bundleID,
            .environment,
            .customerOrSubject,
            .appAccountToken,
            .transactionID,
            .appTransactionID,
            Field(
                optional: "signedTransactions",
                .signedData(RequestBounds.histories).orNull,
                """
                StoreKit 2 transactions that the client holds, as signed. They are verified and stored first, all of them or \
                none, so that the answer counts them.
                """),
            .placement,
            .attributes,
            .billingPlan,
            .signedAppTransaction,
        ])

    static let offersAnswer = NamedSchema(
        "OffersAnswer",
        "What live campaigns give a customer.",
        [
            Field(
                "offers", .list(.named("GivenOffer")),
                """
                What the app may show: promotional offers in the order in which campaigns decide, each once; then decisions \
                about introductory offers, one a product; then links.
                """),
            Field(
                "assignments", .list(.named("Assignment")),
                "Every campaign that has taken the customer, control and holdout included."),
            Field(optional: "eligibility", .named("Advice")),
        ])

    static let givenOffer = NamedSchema(
        "GivenOffer",
        """
        What a campaign gives: a promotional offer (`offerId`), a decision about an introductory offer \
        (`introductoryOffer`), or a link (`link`).
        """,
        [
            Field(
                "productId", .name.orNull, "The product id of the subscription, from the catalogue; null for a link.",
                example: "com.example.pro.monthly"),
            Field(
                optional: "offerId", .name, "The id of the promotional offer, from the catalogue.", example: "winback50"),
            Field(optional: "introductoryOffer", .named("IntroductoryDecision")),
            Field(
                optional: "billingPlan", .always("monthly"),
                "The billing plan of the offer, if it is not `upfront`: the one that the request names.", example: "monthly"),
            Field(
                optional: "link", .someText, "An address at which the App Store gives an offer. The app opens it.",
                example: "https://apps.apple.com/redeem?ctx=offercodes&id=1234567890&code=SPRING"),
            Field("campaign", .named("ChoosingCampaign")),
        ])

    static let introductoryDecision = NamedSchema(
        "IntroductoryDecision",
        "Whether a campaign gives an introductory offer.",
        [
            Field(
                "allow", .flag,
                """
                True: show the introductory offer. False: show the regular price. Either way ask \
                `/v1/introductory-offers/signatures` without `allow` before the purchase, with the same placement and attributes.
                """,
                example: true)
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
