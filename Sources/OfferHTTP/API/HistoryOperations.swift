import OfferService
import WireText

extension Operation {
    static let addTransactions = Operation(
        id: "addTransactions", method: .post, path: "/v1/history/transactions", access: .needs(.history),
        about: About(
            tag: "history",
            summary: "Hand in StoreKit 2 transactions",
            text: """
                Verifies signed transactions and renewal information and merges them into the history. Refused elements are \
                named and left out; the rest is stored. The same data again changes nothing.
                """,
            body: Body(
                .transactionsRequest, size: BodySize.usual,
                examples: [
                    Example(
                        "one",
                        #"""
                        {"bundleId": "com.example.app", "customerId": "u-123",
                        "signedTransactions": ["eyJhbGciOiJFUzI1NiIsIng1YyI6WyJNSUlFTURDQ0E3YWdBd0lCQWdJUWZUbGZkMGZOdkZXdnpD\#
                        MVlJQU5zWGpBSyIsIk1JSURGakNDQXB5Z0F3SUJBZ0lVSXNHaFJ3cDBjMm52VTRZU3ljYWZQVGp6Yk5jd0NnWUkiLCJNSUlDUXpD\#
                        Q0FjbWdBd0lCQWdJSUxjWDhpTkxGUzVVd0NnWUlLb1pJemowRUF3TXdaekViTUJrRyJdfQ.eyJ0cmFuc2FjdGlvbklkIjoiMjAwM\#
                        DAwMDEyMzQ1Njc4OSJ9.CzBVep_E6Q4zWH2ix-wRNluApcrvFDleg6jN8hc8YYar0PUaP2SJrtP4HUJnjLHW-yBFao-02f4jSG2S\#
                        t9wBJg"]}
                        """#)
                ]),
            successes: [
                Success(
                    "How much was stored, was known already, and was left out.", "HistoryReport", isPrivate: false,
                    examples: [
                        Example("stored", #"{"accepted": 1, "unchanged": 0, "rejected": []}"#),
                        Example(
                            "partly",
                            #"""
                            {"accepted": 1, "unchanged": 1, "rejected": [{"index": 2, "code": "bundle-mismatch",
                            "field": "signedTransactions",
                            "detail": "the data does not belong to the bundle id of this app"}]}
                            """#),
                    ])
            ],
            problems: [404: "UnknownApp", 413: "LargeBodyTooLarge"]))

    static let addReceipt = Operation(
        id: "addReceipt", method: .post, path: "/v1/history/receipts", access: .needs(.history),
        about: About(
            tag: "history",
            summary: "Hand in a receipt",
            text: """
                Merges what a receipt shows into the history. A receipt of the iOS 7 style is verified and read offline; \
                verifyReceipt, production first and then the sandbox, is asked only where the app has a shared secret and the \
                receipt lacks something: it shows a subscription, or is more than a day old. Other receipts are always asked \
                about. Or uses an answer of verifyReceipt that a backend already has. Each subscription and other purchase \
                counts as one. For an app with a shared secret and without issuer id the service keeps the latest receipt, \
                encrypted, and asks about it again when a period ends. It also keeps a receipt about which verifyReceipt could \
                not be asked, and goes on asking by itself.
                """,
            body: Body(
                .receiptRequest, size: BodySize.document,
                examples: [
                    Example(
                        "receipt",
                        #"""
                        {"bundleId": "com.example.app", "customerId": "u-123",
                        "receiptData": "MIIUVQYJKoZIhvcNAQcCoIIURjCCFEICAQExCzAJBgUrDgMCGgUAMIIDdgYJKoZI"}
                        """#),
                    Example(
                        "verified",
                        #"""
                        {"bundleId": "com.example.app", "customerId": "u-123", "verifiedReceipt": {"status": 0,
                        "environment": "Production", "receipt": {"bundle_id": "com.example.app"}, "latest_receipt_info": [],
                        "pending_renewal_info": []}}
                        """#),
                ]),
            successes: [
                Success(
                    "How much was stored, was known already, and was left out.", "HistoryReport", isPrivate: false,
                    examples: [
                        Example("stored", #"{"accepted": 1, "unchanged": 0, "rejected": []}"#),
                        Example(
                            "unanswered",
                            #"""
                            {"accepted": 1, "unchanged": 0, "rejected": [],
                            "verifyReceipt": {"code": "receipt-status-21004", "detail": "verifyReceipt status 21004"}}
                            """#),
                    ])
            ],
            problems: [404: "UnknownApp", 413: "DocumentTooLarge", 422: "ReceiptRefused", 503: "AppStoreNotReady"]))

    static let refreshHistory = Operation(
        id: "refreshHistory", method: .post, path: "/v1/history/refresh", access: .needs(.history),
        about: About(
            tag: "history",
            summary: "Pull a history from the App Store",
            text: """
                Asks the App Store Server API for all transactions and the renewal state of the customer who made a transaction, \
                all pages, and merges them. Needs `issuerId` of the app in the configuration. Counts as 10 requests against the \
                rate. The answer counts each subscription and other purchase as one.
                """,
            body: Body(
                .refreshRequest, size: BodySize.usual,
                examples: [
                    Example(
                        "transaction",
                        #"""
                        {"bundleId": "com.example.app", "transactionId": "2000000123456789", "customerId": "u-123"}
                        """#)
                ]),
            successes: [
                Success(
                    "How much was stored, was known already, and was left out.", "HistoryReport", isPrivate: false,
                    examples: [
                        Example("stored", #"{"accepted": 1, "unchanged": 0, "rejected": []}"#)
                    ])
            ],
            problems: [404: "UnknownApp", 413: "LargeBodyTooLarge", 422: "RefusedByAppStore", 503: "AppStoreNotReady"]))
}

extension NamedSchema {
    static let transactionsRequest = NamedSchema(
        "TransactionsRequest",
        "StoreKit 2 data, as signed by the App Store. At least one of the two lists is required.",
        [
            .bundleID,
            .customerID,
            Field(
                optional: "signedTransactions",
                .signedData(RequestBounds.suppliedTransactions).orNull,
                "Signed transactions (`signedTransactionInfo`, or StoreKit's `jwsRepresentation`)."),
            Field(
                optional: "signedRenewalInfos",
                .signedData(RequestBounds.suppliedTransactions).orNull,
                "Signed renewal information (`signedRenewalInfo`)."),
        ])

    static let receiptRequest = NamedSchema(
        "ReceiptRequest",
        """
        A receipt to be verified with the App Store, or the answer of verifyReceipt that a backend already has: one of the \
        two.
        """,
        [
            .bundleID,
            .customerID,
            Field(
                optional: "receiptData",
                .text.with("minLength", 1).with("pattern", "^[A-Za-z0-9+/=\\s]+$").with("contentEncoding", "base64").orNull,
                """
                The receipt in standard Base64, as it is on the device; line breaks do no harm. It is read offline where it \
                can be; for the rest the App Store is asked, production first, then the sandbox.
                """,
                example: "MIIUVQYJKoZIhvcNAQcCoIIURjCCFEICAQExCzAJBgUrDgMCGgUAMIIDdgYJKoZI"),
            Field(optional: "verifiedReceipt", .named("VerifiedReceipt")),
        ])

    static let verifiedReceipt = NamedSchema(
        "VerifiedReceipt",
        "The whole answer of verifyReceipt, in the style of iOS 7 or of iOS 6; more fields than these are expected.",
        .object(
            [
                Field(
                    "status", .integer(0...),
                    "0, or 21006 for an expired subscription of the old style; anything else is refused.",
                    example: 0)
            ], isOpen: true
        ).with(
            "examples",
            JSONValue(
                json:
                    #"[{"status": 0, "environment": "Production", "receipt": {"bundle_id": "com.example.app"}, "latest_receipt_info": [], "pending_renewal_info": []}]"#
            )
        ).orNull)

    static let refreshRequest = NamedSchema(
        "RefreshRequest",
        "Asks for the history of the customer who made a transaction.",
        [
            .bundleID,
            .customerID,
            Field("transactionId", .transactionID, "Any transaction id of the customer.", example: "2000000123456789"),
        ])

    static let historyReport = NamedSchema(
        "HistoryReport",
        "What was stored of the data in the request.",
        [
            Field("accepted", .integer(0...), "How many brought something new, a binding included."),
            Field("unchanged", .integer(0...), "How many were known already."),
            Field("rejected", .list(.named("RejectedHistory")), "Those that were left out; the others are stored all the same."),
            Field(
                optional: "verifyReceipt",
                .object([
                    Field("code", .text, "Why, for programs."),
                    Field("detail", .text, "Why, for people."),
                ]),
                """
                Only for `receiptData`: verifyReceipt did not add what the receipt lacks. What the receipt says itself is \
                stored. `receipt-status-` is followed by the status that verifyReceipt gave.
                """),
        ])

    static let rejectedHistory = NamedSchema(
        "RejectedHistory",
        "One element that was left out.",
        [
            Field("index", .integer(0...), "Its place in the list, from 0."),
            Field(
                "code",
                .known(
                    "bound-to-another-customer", "malformed-jws", "unsupported-algorithm", "malformed-certificate-chain",
                    "untrusted-root", "invalid-certificate-chain", "missing-intermediate-marker", "missing-leaf-marker",
                    "certificate-expired", "certificate-not-yet-valid", "unsupported-certificate-key", "invalid-signature",
                    "malformed-payload", "signed-in-future", "bundle-mismatch", "environment-mismatch",
                    "local-certificate-unknown"),
                """
                Why, for programs. `bound-to-another-customer`: the subscription is another customer's.
                - `malformed-jws`: Not three parts of base64url, too long, or a header that is not a JSON object.
                - `unsupported-algorithm`: `alg` is not ES256.
                - `malformed-certificate-chain`: `x5c` is missing, has not three entries, or has entries that are not \
                certificates.
                - `untrusted-root`: No trusted root issued the intermediate.
                - `invalid-certificate-chain`: The leaf was not issued by the intermediate, or the intermediate is not an \
                authority.
                - `missing-intermediate-marker`: The intermediate lacks Apple's extension 1.2.840.113635.100.6.2.1.
                - `missing-leaf-marker`: The leaf lacks Apple's extension 1.2.840.113635.100.6.11.1.
                - `certificate-expired`: A certificate had expired when the data was signed.
                - `certificate-not-yet-valid`: A certificate was not valid yet when the data was signed.
                - `unsupported-certificate-key`: A key is neither P-384 nor P-256, or the leaf's is not P-256.
                - `invalid-signature`: The leaf's key did not make the signature.
                - `signed-in-future`: The signing date is more than a day ahead of the service's clock.
                - `malformed-payload`: The payload is not a JSON object, lacks a required field, or has no valid signing \
                date.
                - `bundle-mismatch`: The data belongs to another app (`bundleId`).
                - `environment-mismatch`: The data comes from another environment than the app's.
                - `local-certificate-unknown`: Data of Xcode or LocalTesting, signed with a certificate that is not \
                configured.
                """),
            Field(
                "field", .known("signedTransactions", "signedRenewalInfos", "chains"),
                """
                The list: of the request, or of what the App Store answered; `chains` for the subscriptions and other \
                purchases that these make.
                """),
            Field("detail", .someText, "What is wrong and what to do."),
        ])
}
