import OfferService
import WireText

extension Operation {
    static let receiveNotification = Operation(
        id: "receiveNotification", method: .post, path: "/v1/appstore/notifications/{bundleId}", access: .open,
        about: About(
            tag: "notifications",
            summary: "Receive an App Store Server Notification",
            text: """
                The URL for App Store Connect. Takes version 2, authentic by its signature, and version 1, authentic by the \
                shared secret. The service answers 200 once the notification and what it says are durable. The App Store repeats \
                a notification after any other answer. No access key: each notification proves itself.
                """,
            parameters: ["bundleId"],
            body: Body(
                .notification, size: BodySize.document, text: "",
                examples: [
                    Example(
                        "version2",
                        #"""
                        {"signedPayload": "eyJhbGciOiJFUzI1NiIsIng1YyI6WyJNSUlFTURDQ0E3YWdBd0lCQWdJUWZUbGZkMGZOdkZXdnpDMVlJQ\#
                        U5zWGpBSyIsIk1JSURGakNDQXB5Z0F3SUJBZ0lVSXNHaFJ3cDBjMm52VTRZU3ljYWZQVGp6Yk5jd0NnWUkiLCJNSUlDUXpDQ0Fjb\#
                        WdBd0lCQWdJSUxjWDhpTkxGUzVVd0NnWUlLb1pJemowRUF3TXdaekViTUJrRyJdfQ.eyJ0cmFuc2FjdGlvbklkIjoiMjAwMDAwMD\#
                        EyMzQ1Njc4OSJ9.CzBVep_E6Q4zWH2ix-wRNluApcrvFDleg6jN8hc8YYar0PUaP2SJrtP4HUJnjLHW-yBFao-02f4jSG2St9wBJ\#
                        g"}
                        """#),
                    Example(
                        "version1",
                        #"""
                        {"notification_type": "REFUND", "password": "a32f0b1c55d84f0fa1f1d2a1e6f0c9b7",
                        "environment": "PROD", "bid": "com.example.app", "unified_receipt": {"status": 0,
                        "environment": "Production", "latest_receipt_info": []}}
                        """#),
                ]),
            successes: [
                Success(
                    "The notification is durably stored.", "NotificationAnswer", isPrivate: false,
                    examples: [
                        Example("stored", #"{"status": "stored"}"#),
                        Example("known", #"{"status": "known"}"#),
                    ])
            ],
            problems: [
                400: "MalformedNotification", 401: "NotAuthentic", 404: "UnknownAppOfNotification", 413: "DocumentTooLarge",
                503: "NotReady",
            ]))

    static let answerRetentionRequest = Operation(
        id: "answerRetentionRequest", method: .post, path: "/v1/appstore/retention/{bundleId}", access: .open,
        about: About(
            tag: "notifications",
            summary: "Say what to show a customer who is about to cancel",
            text: """
                The URL for Retention Messaging in real time. The live campaigns for the placement `retention` decide. If none \
                decides, after a failure, or after 250 ms, the answer is the app's default message. No access key: each request \
                proves itself by its signature. The same `requestIdentifier` gets the same answer.
                """,
            parameters: ["bundleId"],
            body: Body(
                .retentionRequest, size: 64 << 10, text: "",
                examples: [
                    Example(
                        "request",
                        #"""
                        {"signedPayload": "eyJhbGciOiJFUzI1NiIsIng1YyI6WyJNSUlFTURDQ0E3YWdBd0lCQWdJUWZUbGZkMGZOdkZXdnpDMVlJQ\#
                        U5zWGpBSyIsIk1JSURGakNDQXB5Z0F3SUJBZ0lVSXNHaFJ3cDBjMm52VTRZU3ljYWZQVGp6Yk5jd0NnWUkiLCJNSUlDUXpDQ0Fjb\#
                        WdBd0lCQWdJSUxjWDhpTkxGUzVVd0NnWUlLb1pJemowRUF3TXdaekViTUJrRyJdfQ.eyJ0cmFuc2FjdGlvbklkIjoiMjAwMDAwMD\#
                        EyMzQ1Njc4OSJ9.CzBVep_E6Q4zWH2ix-wRNluApcrvFDleg6jN8hc8YYar0PUaP2SJrtP4HUJnjLHW-yBFao-02f4jSG2St9wBJ\#
                        g"}
                        """#)
                ]),
            successes: [
                Success(
                    "What to show. An offer is durably recorded.", "RetentionAnswer",
                    examples: [
                        Example(
                            "offer",
                            #"""
                            {"promotionalOffer": {"messageIdentifier": "0b8e4c5a-2f0b-4e0e-9e59-1f2c3d4e5f60",
                            "promotionalOfferSignatureV2": "eyJhbGciOiJFUzI1NiIsImtpZCI6IkFCQ0RFRkdISUoiLCJ0eXAiOiJKV1QifQ.e\#
                            yJhdWQiOiJwcm9tb3Rpb25hbC1vZmZlciJ9.CzBVep_E6Q4zWH2ix-wRNluApcrvFDleg6jN8hc8YYar0PUaP2SJrtP4HUJn\#
                            jLHW-yBFao-02f4jSG2St9wBJg"}}
                            """#),
                        Example("message", #"{"message": {"messageIdentifier": "0b8e4c5a-2f0b-4e0e-9e59-1f2c3d4e5f60"}}"#),
                    ]),
                Success(
                    "Nothing to show: a campaign's control, or no default message. The App Store shows what App Store Connect says, or its own default.",
                    [], status: 204),
            ],
            problems: [
                400: "MalformedRetentionRequest", 401: "RetentionNotAuthentic", 404: "UnknownAppOfNotification",
                413: "RetentionBodyTooLarge", 503: "NotReady",
            ]))
}

extension NamedSchema {
    static let notification = NamedSchema(
        "Notification",
        "An App Store Server Notification, version 2 or version 1. More fields than these are expected, and kept.",
        .object(
            [
                Field(
                    optional: "signedPayload", .text,
                    "A compact JWS.",
                    example:
                        "eyJhbGciOiJFUzI1NiIsIng1YyI6WyJNSUlFTURDQ0E3YWdBd0lCQWdJUWZUbGZkMGZOdkZXdnpDMVlJQU5zWGpBSyIsIk1JSURGakNDQXB5Z0F3SUJBZ0lVSXNHaFJ3cDBjMm52VTRZU3ljYWZQVGp6Yk5jd0NnWUkiLCJNSUlDUXpDQ0FjbWdBd0lCQWdJSUxjWDhpTkxGUzVVd0NnWUlLb1pJemowRUF3TXdaekViTUJrRyJdfQ.eyJ0cmFuc2FjdGlvbklkIjoiMjAwMDAwMDEyMzQ1Njc4OSJ9.CzBVep_E6Q4zWH2ix-wRNluApcrvFDleg6jN8hc8YYar0PUaP2SJrtP4HUJnjLHW-yBFao-02f4jSG2St9wBJg"
                ),
                Field(optional: "notification_type", .someText, example: "REFUND"),
                Field(optional: "password", .text, "The app's shared secret.", example: "a32f0b1c55d84f0fa1f1d2a1e6f0c9b7"),
                Field(optional: "bid", .text, example: "com.example.app"),
            ], isOpen: true))

    static let notificationAnswer = NamedSchema(
        "NotificationAnswer",
        "The notification is durably stored.",
        [
            Field(
                "status", .known("stored", "known"),
                "`stored`: now. `known`: it was received before, and nothing has changed.")
        ])

    static let retentionRequest = NamedSchema(
        "RetentionRequest",
        "What the App Store asks in real time. More fields than this are ignored.",
        .object(
            [
                Field(
                    "signedPayload", .text,
                    "A compact JWS.",
                    example:
                        "eyJhbGciOiJFUzI1NiIsIng1YyI6WyJNSUlFTURDQ0E3YWdBd0lCQWdJUWZUbGZkMGZOdkZXdnpDMVlJQU5zWGpBSyIsIk1JSURGakNDQXB5Z0F3SUJBZ0lVSXNHaFJ3cDBjMm52VTRZU3ljYWZQVGp6Yk5jd0NnWUkiLCJNSUlDUXpDQ0FjbWdBd0lCQWdJSUxjWDhpTkxGUzVVd0NnWUlLb1pJemowRUF3TXdaekViTUJrRyJdfQ.eyJ0cmFuc2FjdGlvbklkIjoiMjAwMDAwMDEyMzQ1Njc4OSJ9.CzBVep_E6Q4zWH2ix-wRNluApcrvFDleg6jN8hc8YYar0PUaP2SJrtP4HUJnjLHW-yBFao-02f4jSG2St9wBJg"
                )
            ], isOpen: true))

    static let retentionAnswer = NamedSchema(
        "RetentionAnswer",
        "What the App Store is to show: exactly one of these.",
        .object([
            Field(
                optional: "message",
                .object([
                    Field(
                        "messageIdentifier", .text.with("format", "uuid"),
                        "The id of a text that was uploaded to the App Store.",
                        example: "0b8e4c5a-2f0b-4e0e-9e59-1f2c3d4e5f60")
                ]),
                "A text."),
            Field(
                optional: "alternateProduct",
                .object([
                    Field(
                        "messageIdentifier", .text.with("format", "uuid"),
                        "The id of a text that was uploaded to the App Store.",
                        example: "0b8e4c5a-2f0b-4e0e-9e59-1f2c3d4e5f60"),
                    Field("productId", .text, "The product that is proposed.", example: "com.example.pro.yearly"),
                    Field(
                        optional: "billingPlanType", .known("BILLED_UPFRONT", "MONTHLY"),
                        "Its billing plan; left out: the one that the App Store takes by default.", example: "BILLED_UPFRONT"),
                ]),
                "A text and another product."),
            Field(
                optional: "promotionalOffer",
                .object([
                    Field(
                        "messageIdentifier", .text.with("format", "uuid"),
                        "The id of a text that was uploaded to the App Store.",
                        example: "0b8e4c5a-2f0b-4e0e-9e59-1f2c3d4e5f60"),
                    Field(
                        "promotionalOfferSignatureV2", .text,
                        """
                        A compact JWS for the subscription of the request: its `transactionId` is the request's \
                        `originalTransactionId`.
                        """,
                        example:
                            "eyJhbGciOiJFUzI1NiIsImtpZCI6IkFCQ0RFRkdISUoiLCJ0eXAiOiJKV1QifQ.eyJhdWQiOiJwcm9tb3Rpb25hbC1vZmZlciJ9.CzBVep_E6Q4zWH2ix-wRNluApcrvFDleg6jN8hc8YYar0PUaP2SJrtP4HUJnjLHW-yBFao-02f4jSG2St9wBJg"
                    ),
                ]),
                "A text and an offer."),
        ]).with("minProperties", 1).with("maxProperties", 1))
}
