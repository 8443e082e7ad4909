import OfferService
import WireText

extension Operation {
    static let issueNonces = Operation(
        id: "issueNonces", method: .post, path: "/v1/nonces", access: .needsOrEndUser(.sign),
        about: About(
            tag: "signing",
            summary: "Issue nonces",
            text: """
                Issues nonces for later signatures. Nothing is stored. A nonce is for this app and this caller only, and for one \
                signature. This call is optional: POST /v1/signatures makes a nonce where none is given.
                """,
            body: Body(
                .nonceRequest, size: BodySize.usual,
                examples: [
                    Example("two", #"{"bundleId": "com.example.app", "count": 2}"#),
                    Example("defaults", #"{}"#),
                ]),
            successes: [
                Success(
                    "The nonces.", "NonceAnswer",
                    examples: [
                        Example(
                            "two",
                            #"""
                            {"nonces": [{"nonce": "20fba8a0-2b80-4a7d-a17f-85c1854727f8", "expiresAt": 1795248600000},
                            {"nonce": "b1d6d2b6-5f0e-4a53-9b3c-0a6d4d0f6c21", "expiresAt": 1795248600000}],
                            "timestamp": 1795247400000}
                            """#)
                    ])
            ],
            problems: [404: "UnknownApp", 413: "LargeBodyTooLarge"]))

    static let signOffers = Operation(
        id: "signOffers", method: .post, path: "/v1/signatures", access: .needsOrEndUser(.sign),
        about: About(
            tag: "signing",
            summary: "Sign promotional offers",
            text: """
                Signs 1 to 20 promotional offers of one app. Under `eligibility: enforce`, the default, an offer is refused \
                where the eligibility rules say no or do not know. Under `eligibility: advise` such an offer is signed all the \
                same, and the verdict comes with the signature; the limits of offers hold there, too. Every signature is durably on record before it is answered. A signature is valid for one buy attempt, \
                even one that fails. A nonce that is not accepted fails the whole request and uses up no other nonce.
                """,
            parameters: ["Idempotency-Key"],
            body: Body(
                .signatureRequest, size: 64 << 10,
                examples: [
                    Example(
                        "payload",
                        #"""
                        {"bundleId": "com.example.app", "customerId": "u-123",
                        "appAccountToken": "7e3fb20b-4cdb-47cc-936d-99d65f608138",
                        "offers": [{"productId": "com.example.pro.monthly", "offerId": "winback50"}]}
                        """#),
                    Example(
                        "jws",
                        #"""
                        {"bundleId": "com.example.app", "form": "jws", "transactionId": "2000000123456789",
                        "offers": [{"productId": "com.example.pro.monthly", "offerId": "winback50",
                        "nonce": "20fba8a0-2b80-4a7d-a17f-85c1854727f8"}]}
                        """#),
                    Example(
                        "campaigns",
                        #"""
                        {"bundleId": "com.example.app", "customerId": "u-123", "placement": "paywall",
                        "attributes": {"country": "US"}, "offers": [{"productId": "com.example.pro.monthly"}]}
                        """#),
                ]),
            successes: [
                Success(
                    "One result per offer.", "SignatureAnswer", headers: ["Idempotency-Replayed"],
                    examples: [
                        Example(
                            "payload",
                            #"""
                            {"results": [{"productId": "com.example.pro.monthly", "offerId": "winback50",
                            "status": "signed", "form": "payload", "keyIdentifier": "ABCDEFGHIJ",
                            "nonce": "20fba8a0-2b80-4a7d-a17f-85c1854727f8", "timestamp": 1795247400000,
                            "signature": "MEUCIChs6dRC5tuzerAv0ut5GlOsgQkgFQneBeWJfy4hBU2oAiEAyQzBUb/qsNpMGZfliJTsrv/sx8Q8C+\#
                            QmNyAwZoI4rlM=", "applicationUsername": "7e3fb20b-4cdb-47cc-936d-99d65f608138",
                            "expiresAt": 1795333800000}]}
                            """#),
                        Example(
                            "jws",
                            #"""
                            {"results": [{"productId": "com.example.pro.monthly", "offerId": "winback50",
                            "status": "signed", "form": "jws", "keyIdentifier": "ABCDEFGHIJ",
                            "nonce": "20fba8a0-2b80-4a7d-a17f-85c1854727f8", "timestamp": 1795247400000,
                            "compactJWS": "eyJhbGciOiJFUzI1NiIsImtpZCI6IkFCQ0RFRkdISUoiLCJ0eXAiOiJKV1QifQ.eyJpc3MiOiI1NzI0Nj\#
                            U0Mi05NmZlLTFhNjMtZTA1My0wODI0ZDAxMTA3MmEiLCJpYXQiOjE3OTUyNDc0MDAsImF1ZCI6InByb21vdGlvbmFsLW9mZm\#
                            VyIiwiYmlkIjoiY29tLmV4YW1wbGUuYXBwIiwibm9uY2UiOiIyMGZiYThhMC0yYjgwLTRhN2QtYTE3Zi04NWMxODU0NzI3Zj\#
                            giLCJwcm9kdWN0SWQiOiJjb20uZXhhbXBsZS5wcm8ubW9udGhseSIsIm9mZmVySWRlbnRpZmllciI6IndpbmJhY2s1MCIsIn\#
                            RyYW5zYWN0aW9uSWQiOiIyMDAwMDAwMTIzNDU2Nzg5In0.CzBVep_E6Q4zWH2ix-wRNluApcrvFDleg6jN8hc8YYar0PUaP2\#
                            SJrtP4HUJnjLHW-yBFao-02f4jSG2St9wBJg", "expiresAt": 1795333800000}]}
                            """#),
                        Example(
                            "refused",
                            #"""
                            {"results": [{"productId": "com.example.pro.monthly", "offerId": "winback50",
                            "status": "refused", "code": "family-shared-only",
                            "reason": "The customer has the subscription only through Family Sharing; the App Store gives pr\#
                            omotional offers to those who bought one.", "evidence": {"transactionId": "2000000123456789"}}]}
                            """#),
                        Example(
                            "limit",
                            #"""
                            {"results": [{"productId": "com.example.pro.monthly", "offerId": "winback50",
                            "status": "refused", "code": "offer-limit-reached",
                            "reason": "The offer has been signed as often as the catalogue allows; the evidence says which l\#
                            imit, and when it frees.", "evidence": {"limit": "perCustomer", "max": 1, "counted": 1,
                            "freesAt": 1795334100000}}]}
                            """#),
                        Example(
                            "advice",
                            #"""
                            {"results": [{"productId": "com.example.pro.monthly", "offerId": "winback50",
                            "status": "signed", "form": "payload", "keyIdentifier": "ABCDEFGHIJ",
                            "nonce": "20fba8a0-2b80-4a7d-a17f-85c1854727f8", "timestamp": 1795247400000,
                            "signature": "MEUCIChs6dRC5tuzerAv0ut5GlOsgQkgFQneBeWJfy4hBU2oAiEAyQzBUb/qsNpMGZfliJTsrv/sx8Q8C+\#
                            QmNyAwZoI4rlM=", "applicationUsername": "7e3fb20b-4cdb-47cc-936d-99d65f608138",
                            "expiresAt": 1795333800000, "eligibility": {"status": "ineligible",
                            "reasons": [{"code": "never-subscribed",
                            "message": "The customer has never subscribed in this app, and the App Store gives promotional o\#
                            ffers to current and former subscribers only."}]}}]}
                            """#),
                    ])
            ],
            problems: [404: "UnknownOffer", 409: "OffersConflict", 413: "BodyTooLarge", 422: "CannotSignOffers"]))
}

extension NamedSchema {
    static let nonceRequest = NamedSchema(
        "NonceRequest",
        "Asks for nonces.",
        [
            .bundleID,
            Field(optional: "count", .integer(RequestBounds.nonces).with("default", 1).orNull, "How many nonces.", example: 2),
        ])

    static let nonceAnswer = NamedSchema(
        "NonceAnswer",
        "Unused nonces.",
        [
            Field("nonces", .list(.named("IssuedNonce"), RequestBounds.nonces), "As many as were asked for."),
            Field(
                "timestamp", .time,
                "The time of the service. Milliseconds since 1970-01-01T00:00:00Z.",
                example: 1_795_247_400_000),
        ])

    static let issuedNonce = NamedSchema(
        "IssuedNonce",
        "A nonce and the time until which it can be used for a signature.",
        [
            .nonce,
            Field(
                "expiresAt", .time,
                "From this time on POST /v1/signatures refuses the nonce. Milliseconds since 1970-01-01T00:00:00Z.",
                example: 1_795_248_600_000),
        ])

    static let signatureRequest = NamedSchema(
        "SignatureRequest",
        "Asks for signatures for promotional offers. appAccountToken and applicationUsername exclude each other.",
        [
            .bundleID,
            .environment,
            Field(
                optional: "customerId", .name.orNull,
                """
                The app's own user id. Says whose purchase history counts; recorded with the signature; not part of what is \
                signed. With a token of an end user its `sub` counts in place of this.
                """,
                example: "u-123"),
            Field(
                optional: "appAccountToken", .uuid.orNull,
                """
                Field 5 of the payload: the UUID that the app gives StoreKit as appAccountToken. Any case; signed in lower \
                case. Not part of a JWS. Says whose purchase history counts, too. With a token of an end user it is signed, \
                and says nothing of whose history counts.
                """,
                example: "7e3fb20b-4cdb-47cc-936d-99d65f608138"),
            Field(
                optional: "applicationUsername", .text(0...255, matching: Schema.plainText).orNull,
                """
                Field 5 of the payload: what the app puts in SKMutablePayment.applicationUsername. A UUID is lower-cased, \
                anything else is signed byte for byte. Not part of a JWS. A UUID says whose purchase history counts. With a \
                token of an end user it is signed, and says nothing of whose history counts.
                """,
                example: "Jane.Doe-42"),
            Field(
                optional: "form", Schema([:]).with("enum", ["payload", "jws"]).with("default", "payload"),
                "`payload`: the original signature, for StoreKit 1 and 2. `jws`: the compact JWS, for StoreKit 2.",
                example: "payload"),
            Field(
                optional: "transactionId", .transactionID.orNull,
                """
                Any transaction id of the customer, or the appTransactionId. Says whose purchase history counts. Visible \
                ASCII characters. Goes into a JWS; not part of a payload. With a token of an end user it is signed, and says \
                nothing of whose history counts.
                """,
                example: "2000000123456789"),
            .appTransactionID,
            Field(
                optional: "signedTransactions",
                .signedData(RequestBounds.signedTransactions).orNull,
                """
                StoreKit 2 transactions that the client holds, as signed. They are verified and stored first, all of them or \
                none, and are bound to `customerId`.
                """),
            Field(
                "offers", .list(.named("OfferToSign"), RequestBounds.signatures),
                "The offers to sign. The results have the same order."),
            .placement,
            .attributes,
            .billingPlan,
        ])

    static let offerToSign = NamedSchema(
        "OfferToSign",
        "One promotional offer of one product.",
        [
            Field(
                optional: "productId", .name.orNull,
                """
                The product id of the subscription, from the catalogue. Required with an offerId; without one, left out for \
                an offer of any product.
                """,
                example: "com.example.pro.monthly"),
            Field(
                optional: "offerId", .name.orNull,
                "The id of the promotional offer, from the catalogue. Left out: campaigns choose.",
                example: "winback50"),
            Field(
                optional: "nonce", .uuid.orNull,
                """
                A nonce that POST /v1/nonces issued to this caller for this app; upper or lower case. Left out: the service \
                makes one.
                """,
                example: "20fba8a0-2b80-4a7d-a17f-85c1854727f8"),
        ])

    static let signatureAnswer = NamedSchema(
        "SignatureAnswer",
        "One result per offer, in the order of the request.",
        [
            Field("results", .list(.named("SignatureResult"), RequestBounds.signatures))
        ])

    static let signatureResult = NamedSchema(
        "SignatureResult",
        "A signature in the form that was asked for, or a refusal.",
        .oneOf(.named("PayloadSignature"), .named("JWSSignature"), .named("RefusedOffer")))

    static let payloadSignature = NamedSchema(
        "PayloadSignature",
        "A signature in the original form.",
        [
            .productID,
            .offerID,
            Field("status", .always("signed")),
            Field("form", .always("payload")),
            .keyIdentifier,
            .nonce,
            Field(
                "timestamp", .time,
                "The time that was signed. Milliseconds since 1970-01-01T00:00:00Z.",
                example: 1_795_247_400_000),
            Field(
                "signature", .text(88...96, matching: "^[A-Za-z0-9+/]+={0,2}$").with("contentEncoding", "base64"),
                """
                The ASN.1 DER signature in standard Base64 with padding. StoreKit 1 takes this string; StoreKit 2 takes the \
                bytes it decodes to.
                """,
                example: "MEUCIChs6dRC5tuzerAv0ut5GlOsgQkgFQneBeWJfy4hBU2oAiEAyQzBUb/qsNpMGZfliJTsrv/sx8Q8C+QmNyAwZoI4rlM="),
            Field(
                "applicationUsername", .text(0...255, matching: Schema.plainText),
                "Exactly what was signed as field 5; empty when there was none.",
                example: "7e3fb20b-4cdb-47cc-936d-99d65f608138"),
            Field(
                "expiresAt", .time,
                """
                24 hours after `timestamp`: the App Store refuses the signature from then on. Milliseconds since \
                1970-01-01T00:00:00Z.
                """,
                example: 1_795_333_800_000),
            Field(optional: "eligibility", .named("Advice")),
            Field(optional: "campaign", .named("ChoosingCampaign")),
        ])

    static let jwsSignature = NamedSchema(
        "JWSSignature",
        "A signature as a compact JWS.",
        [
            .productID,
            .offerID,
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
                    "eyJhbGciOiJFUzI1NiIsImtpZCI6IkFCQ0RFRkdISUoiLCJ0eXAiOiJKV1QifQ.eyJpc3MiOiI1NzI0NjU0Mi05NmZlLTFhNjMtZTA1My0wODI0ZDAxMTA3MmEiLCJpYXQiOjE3OTUyNDc0MDAsImF1ZCI6InByb21vdGlvbmFsLW9mZmVyIiwiYmlkIjoiY29tLmV4YW1wbGUuYXBwIiwibm9uY2UiOiIyMGZiYThhMC0yYjgwLTRhN2QtYTE3Zi04NWMxODU0NzI3ZjgiLCJwcm9kdWN0SWQiOiJjb20uZXhhbXBsZS5wcm8ubW9udGhseSIsIm9mZmVySWRlbnRpZmllciI6IndpbmJhY2s1MCIsInRyYW5zYWN0aW9uSWQiOiIyMDAwMDAwMTIzNDU2Nzg5In0.CzBVep_E6Q4zWH2ix-wRNluApcrvFDleg6jN8hc8YYar0PUaP2SJrtP4HUJnjLHW-yBFao-02f4jSG2St9wBJg"
            ),
            Field(
                "expiresAt", .time,
                "24 hours after `timestamp`. Milliseconds since 1970-01-01T00:00:00Z.",
                example: 1_795_333_800_000),
            Field(optional: "eligibility", .named("Advice")),
            Field(optional: "campaign", .named("ChoosingCampaign")),
        ])

    static let refusedOffer = NamedSchema(
        "RefusedOffer",
        """
        The offer was not signed. Under `eligibility: enforce` (the default) the eligibility rules say no or do not know. \
        Otherwise a limit of the offer is used up, or no campaign gives one. The other offers of the request are not \
        affected.
        """,
        [
            Field(
                "productId", .name.orNull,
                """
                The product id of the subscription, from the catalogue. `null` where campaigns were asked for an offer of \
                any product and gave none.
                """,
                example: "com.example.pro.monthly"),
            Field(
                optional: "offerId", .name,
                "The id of the promotional offer, from the catalogue. Not there where campaigns were asked and gave none.",
                example: "winback50"),
            Field("status", .always("refused")),
            Field(
                "code",
                .known(
                    "never-subscribed", "family-shared-only", "assigned-seat-only", "no-history", "incomplete-history",
                    "unrecognised-value", "customer-not-named", "offer-limit-reached", "no-campaign-offer",
                    "other-billing-plan"),
                "The first reason of the verdict, for programs.",
                example: "never-subscribed"),
            Field("reason", .someText, "Why, in one sentence."),
            Field("evidence", .anyOf(.named("Evidence"), .named("LimitEvidence"))),
        ])

    static let limitEvidence = NamedSchema(
        "LimitEvidence",
        "The limit of the catalogue that is used up; of several the one that frees last.",
        [
            Field(
                "limit", .known("perCustomer", "cooldown", "notWhileActive", "outstanding", "total"),
                "Its name in the catalogue.",
                example: "perCustomer"),
            Field("max", .integer(0...), "How many it allows.", example: 1),
            Field(
                "counted", .integer(0...),
                """
                How many there are: redemptions for `perCustomer` and `cooldown`, signatures for `outstanding`, redemptions \
                and customers who hold a signature for `total`.
                """,
                example: 1),
            Field(
                "freesAt", .integer.orNull,
                "When it allows one more, if nothing else happens; null: never, or not known.",
                example: 1_795_334_100_000),
        ])
}
