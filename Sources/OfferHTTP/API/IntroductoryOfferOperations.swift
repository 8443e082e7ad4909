import OfferService
import WireText

extension Operation {
    static let signIntroductoryOffers = Operation(
        id: "signIntroductoryOffers", method: .post, path: "/v1/introductory-offers/signatures", access: .needsOrEndUser(.sign),
        about: About(
            tag: "signing",
            summary: "Sign introductory-offer overrides",
            text: """
                Signs, for 1 to 20 products, whether the customer may have the introductory offer. The answer is a compact JWS \
                for StoreKit 2. The app needs an issuer id in the configuration. With `allow: null` the eligibility rules \
                decide. `eligible` needs no override: the result is `not-needed` without a JWS, and the app buys without the \
                option. `ineligible` is signed as `false`. Where the rules do not know, the product is refused, not the request. \
                Without `allow` the campaigns decide, and the service records that they have taken the customer. Where no \
                campaign decides about the product, the answer is as with `null`. \
                `allow: true` needs the permission `override` (roles `backend` and `admin`; `client` where the app has \
                `introductoryOverrides: client`): 403 for the whole request otherwise.
                """,
            parameters: ["Idempotency-Key"],
            body: Body(
                .introductoryOfferRequest, size: 64 << 10,
                examples: [
                    Example(
                        "allow",
                        #"""
                        {"bundleId": "com.example.app", "products": [{"productId": "com.example.pro.monthly",
                        "transactionId": "2000000123456789", "allow": true}]}
                        """#),
                    Example(
                        "campaigns",
                        #"""
                        {"bundleId": "com.example.app", "customerId": "u-123", "placement": "paywall",
                        "products": [{"productId": "com.example.pro.monthly", "transactionId": "704289572311513293"}]}
                        """#),
                    Example(
                        "rules",
                        #"""
                        {"bundleId": "com.example.app", "customerId": "u-123",
                        "products": [{"productId": "com.example.pro.monthly", "transactionId": "2000000123456789",
                        "allow": null}]}
                        """#),
                ]),
            successes: [
                Success(
                    "One result per product.", "IntroductoryOfferAnswer", headers: ["Idempotency-Replayed"],
                    examples: [
                        Example(
                            "signed",
                            #"""
                            {"results": [{"productId": "com.example.pro.monthly", "status": "signed", "form": "jws",
                            "keyIdentifier": "ABCDEFGHIJ", "nonce": "20fba8a0-2b80-4a7d-a17f-85c1854727f8",
                            "timestamp": 1795247400000,
                            "compactJWS": "eyJhbGciOiJFUzI1NiIsImtpZCI6IkFCQ0RFRkdISUoiLCJ0eXAiOiJKV1QifQ.eyJpc3MiOiI1NzI0Nj\#
                            U0Mi05NmZlLTFhNjMtZTA1My0wODI0ZDAxMTA3MmEiLCJpYXQiOjE3OTUyNDc0MDAsImF1ZCI6ImludHJvZHVjdG9yeS1vZm\#
                            Zlci1lbGlnaWJpbGl0eSIsImJpZCI6ImNvbS5leGFtcGxlLmFwcCIsIm5vbmNlIjoiMjBmYmE4YTAtMmI4MC00YTdkLWExN2\#
                            YtODVjMTg1NDcyN2Y4IiwicHJvZHVjdElkIjoiY29tLmV4YW1wbGUucHJvLm1vbnRobHkiLCJhbGxvd0ludHJvZHVjdG9yeU\#
                            9mZmVyIjp0cnVlLCJ0cmFuc2FjdGlvbklkIjoiMjAwMDAwMDEyMzQ1Njc4OSJ9.CzBVep_E6Q4zWH2ix-wRNluApcrvFDleg\#
                            6jN8hc8YYar0PUaP2SJrtP4HUJnjLHW-yBFao-02f4jSG2St9wBJg"}]}
                            """#),
                        Example(
                            "not-needed",
                            #"""
                            {"results": [{"productId": "com.example.pro.monthly", "status": "not-needed",
                            "reasons": [{"code": "new-customer",
                            "message": "The customer has never bought a subscription in this app."}]}]}
                            """#),
                        Example(
                            "refused",
                            #"""
                            {"results": [{"productId": "com.example.pro.monthly", "status": "refused",
                            "code": "incomplete-history",
                            "reason": "The history begins in the middle of a subscription, so an introductory offer may have\#
                             been used before; supply the whole history.",
                            "evidence": {"transactionId": "2000000129876543"}}]}
                            """#),
                    ])
            ],
            problems: [
                404: "UnknownProduct", 409: "BoundToAnotherCustomer", 413: "BodyTooLarge", 422: "CannotSignIntroductoryOffers",
            ]))
}

extension NamedSchema {
    static let introductoryOfferRequest = NamedSchema(
        "IntroductoryOfferRequest",
        "Asks for JWS that override whether a customer may have an introductory offer.",
        [
            .bundleID,
            .environment,
            Field(
                optional: "customerId", .name.orNull,
                """
                The app's own user id. Says whose purchase history counts where `allow` is `null` or left out; recorded with \
                the signature; not part of what is signed. With a token of an end user its `sub` counts in place of this.
                """,
                example: "u-123"),
            Field(
                "products", .list(.named("IntroductoryOfferToSign"), RequestBounds.signatures),
                "The products to sign for. The results have the same order."),
            .placement,
            .attributes,
            .billingPlan,
            .signedAppTransaction,
        ])

    static let introductoryOfferToSign = NamedSchema(
        "IntroductoryOfferToSign",
        "One product and the decision for it.",
        [
            .productID,
            Field(
                "transactionId", .transactionID,
                """
                Any transaction id of the customer, or the appTransactionId. Says whose purchase history counts where \
                `allow` is `null` or left out. Visible ASCII characters. Goes into the JWS. All products without `allow` \
                name the same one.
                """,
                example: "2000000123456789"),
            Field(
                optional: "allow", .flag.orNull,
                """
                `true`: the customer may have the introductory offer although the App Store would refuse it; needs the \
                permission `override`. `false`: may not. `null`: as the eligibility rules say, which never sign `true`; \
                where they do not know, the product is refused. Left out: as the campaigns decide; where none does, as \
                with `null`.
                """,
                example: .null),
        ])

    static let introductoryOfferAnswer = NamedSchema(
        "IntroductoryOfferAnswer",
        "One result per product, in the order of the request.",
        [
            Field("results", .list(.named("IntroductoryOfferResult"), RequestBounds.signatures))
        ])

    static let introductoryOfferResult = NamedSchema(
        "IntroductoryOfferResult",
        "A signature, `not-needed`, or a refusal.",
        .oneOf(.named("IntroductoryOfferSignature"), .named("UnneededIntroductoryOffer"), .named("RefusedIntroductoryOffer")))

    static let introductoryOfferSignature = NamedSchema(
        "IntroductoryOfferSignature",
        "A compact JWS with the audience `introductory-offer-eligibility`.",
        [
            .productID,
            Field("status", .always("signed")),
            Field("form", .always("jws")),
            .keyIdentifier,
            .nonce,
            Field(
                "timestamp", .time,
                "The time of the signature; `iat` is this in whole seconds. Milliseconds since 1970-01-01T00:00:00Z.",
                example: 1_795_247_400_000),
            Field(
                "compactJWS", .text(matching: #"^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{86}$"#),
                "The compact JWS (ES256), as StoreKit 2 takes it.",
                example:
                    "eyJhbGciOiJFUzI1NiIsImtpZCI6IkFCQ0RFRkdISUoiLCJ0eXAiOiJKV1QifQ.eyJpc3MiOiI1NzI0NjU0Mi05NmZlLTFhNjMtZTA1My0wODI0ZDAxMTA3MmEiLCJpYXQiOjE3OTUyNDc0MDAsImF1ZCI6ImludHJvZHVjdG9yeS1vZmZlci1lbGlnaWJpbGl0eSIsImJpZCI6ImNvbS5leGFtcGxlLmFwcCIsIm5vbmNlIjoiMjBmYmE4YTAtMmI4MC00YTdkLWExN2YtODVjMTg1NDcyN2Y4IiwicHJvZHVjdElkIjoiY29tLmV4YW1wbGUucHJvLm1vbnRobHkiLCJhbGxvd0ludHJvZHVjdG9yeU9mZmVyIjp0cnVlLCJ0cmFuc2FjdGlvbklkIjoiMjAwMDAwMDEyMzQ1Njc4OSJ9.CzBVep_E6Q4zWH2ix-wRNluApcrvFDleg6jN8hc8YYar0PUaP2SJrtP4HUJnjLHW-yBFao-02f4jSG2St9wBJg"
            ),
            Field(optional: "campaign", .named("ChoosingCampaign")),
        ])

    static let unneededIntroductoryOffer = NamedSchema(
        "UnneededIntroductoryOffer",
        """
        Nothing was signed, because `allow` was not given and the customer may have the introductory offer: the App Store \
        gives it without an override. Buy without the option.
        """,
        [
            .productID,
            Field("status", Schema([:]).with("const", "not-needed")),
            Field("reasons", .named("Reasons")),
            Field(optional: "campaign", .named("ChoosingCampaign")),
        ])

    static let refusedIntroductoryOffer = NamedSchema(
        "RefusedIntroductoryOffer",
        """
        The product was not signed for, because `allow` was not given and the eligibility rules do not know, or the catalogue \
        has no introductory offer; the other products of the request are not affected.
        """,
        [
            .productID,
            Field("status", .always("refused")),
            Field(
                "code",
                .known(
                    "no-history", "incomplete-history", "renewal-unconfirmed", "unknown-product", "unrecognised-value",
                    "no-introductory-offer", "purchases-in-xcode"),
                "The first reason of the verdict, for programs.",
                example: "incomplete-history"),
            Field("reason", .someText, "Why, in one sentence."),
            Field("evidence", .named("Evidence")),
        ])
}
