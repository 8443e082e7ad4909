extension SharedProblem {
    static let badRequest = SharedProblem(
        "BadRequest", .rated,
        """
        The request cannot be understood. `malformed-json`: the body is not one JSON object in UTF-8, has a name twice \
        in an object, or has text after its end. `unknown-field`: the body has an unknown field. `invalid-field`: a \
        field, or the Idempotency-Key header, has a value that is not allowed.
        """,
        examples: [
            Example(
                400, "malformed-json", "Malformed JSON",
                "the body is not a JSON object at byte 17: a value is expected here"),
            Example(
                400, "unknown-field", "Unknown field",
                "unknown: offers[0].offerID; see fields",
                fields: [("offers[0].offerID", "unknown field; known are productId, offerId, nonce")]),
            Example(
                400, "invalid-field", "Invalid field",
                "not usable: offers[0].productId; see fields", fields: [("offers[0].productId", "must not be empty")]),
        ])

    static let unauthorized = SharedProblem(
        "Unauthorized", .unrated,
        "There is no access key, or it is not known, has expired or has been revoked.",
        headers: ["WWW-Authenticate": "WWW-Authenticate"],
        examples: [
            Example(
                401, "unauthorized", "Not authenticated",
                "send Authorization: Bearer with an access key that is neither expired nor revoked")
        ])

    static let userUnauthorized = SharedProblem(
        "UserUnauthorized", .unrated,
        """
        There is no access key, or it is not known, has expired or has been revoked; or the token of an end user is not \
        accepted: `error_description` says why, as `malformed-token`, `unsupported-algorithm`, `unsupported-header`, \
        `unknown-issuer`, `unknown-key`, `invalid-signature`, `unusable-claim`, `wrong-audience`, `expired` or \
        `not-yet-valid`.
        """,
        headers: ["WWW-Authenticate": "WWW-AuthenticateUser"],
        examples: [
            Example(
                401, "unauthorized", "Not authenticated",
                "send Authorization: Bearer with an access key that is neither expired nor revoked"),
            Example(
                401, "invalid-token", "Token not accepted",
                "the token has expired (exp); get a new one where this one came from"),
        ])

    static let forbidden = SharedProblem(
        "Forbidden", .rated,
        "The role of the access key does not allow this, or the access key is not for this app.",
        examples: [
            Example(
                403, "forbidden", "Not allowed",
                "the role viewer may not do this; those that may: client, backend, admin")
        ])

    static let unknownApp = SharedProblem(
        "UnknownApp", .rated,
        "The app is not configured.",
        examples: [
            Example(404, "unknown-app", "No such app", "the configuration has no app com.example.other")
        ])

    static let unknownProduct = SharedProblem(
        "UnknownProduct", .rated,
        "The app is not configured, or its catalogue lacks the product. Nothing is signed or stored.",
        examples: [
            Example(404, "unknown-app", "No such app", "the configuration has no app com.example.other"),
            Example(
                404, "unknown-product", "No such product",
                "the app's catalogue has no product com.example.other.monthly"),
        ])

    static let unknownOffer = SharedProblem(
        "UnknownOffer", .rated,
        "The app is not configured, or its catalogue lacks the product or the offer. Nothing is signed.",
        examples: [
            Example(404, "unknown-app", "No such app", "the configuration has no app com.example.other"),
            Example(
                404, "unknown-product", "No such product",
                "the app's catalogue has no product com.example.other.monthly"),
            Example(
                404, "unknown-offer", "No such offer",
                "product com.example.pro.monthly has no promotional offer other in the catalogue"),
        ])

    static let offersConflict = SharedProblem(
        "OffersConflict", .rated,
        """
        `nonce-replayed`: a nonce of this request has been used before. `bound-to-another-customer`: `transactionId` or \
        one of `signedTransactions` belongs to another customer than `customerId`. Nothing is signed and no other nonce \
        of the request is used up.
        """,
        examples: [
            Example(
                409, "nonce-replayed", "Nonce used twice",
                "nonce 20fba8a0-2b80-4a7d-a17f-85c1854727f8 was used before; get a new one, or leave it out"),
            Example(
                409, "bound-to-another-customer", "Bound to another customer",
                "the subscription is bound to another customer of this app; nothing was changed"),
        ])

    static let boundToAnotherCustomer = SharedProblem(
        "BoundToAnotherCustomer", .rated,
        "The subscription is bound to another customer of this app, and stays so. Nothing is changed.",
        examples: [
            Example(
                409, "bound-to-another-customer", "Bound to another customer",
                "the subscription is bound to another customer of this app; nothing was changed")
        ])

    static let bodyTooLarge = SharedProblem(
        "BodyTooLarge", .ratedIfKnown,
        "The body is larger than 64 KiB.",
        examples: [
            Example(413, "body-too-large", "Body too large", "this path accepts bodies of up to 65536 bytes")
        ])

    static let largeBodyTooLarge = SharedProblem(
        "LargeBodyTooLarge", .ratedIfKnown,
        "The body is larger than 1 MiB.",
        examples: [
            Example(413, "body-too-large", "Body too large", "this path accepts bodies of up to 1048576 bytes")
        ])

    static let documentTooLarge = SharedProblem(
        "DocumentTooLarge", .ratedIfKnown,
        "The body is larger than 16 MiB.",
        examples: [
            Example(413, "body-too-large", "Body too large", "this path accepts bodies of up to 16777216 bytes")
        ])

    /// The codes of signed data.
    private static let signedDataCodes = [
        "malformed-jws", "unsupported-algorithm", "malformed-certificate-chain", "untrusted-root",
        "invalid-certificate-chain", "missing-intermediate-marker", "missing-leaf-marker", "certificate-expired",
        "certificate-not-yet-valid", "unsupported-certificate-key", "invalid-signature", "malformed-payload",
        "signed-in-future", "bundle-mismatch", "environment-mismatch", "local-certificate-unknown",

    ]

    static let cannotSignOffers = SharedProblem(
        "CannotSignOffers", .rated,
        """
        The request is well-formed but cannot be carried out. Nothing is signed and no nonce of the request is used up. \
        A code of signed data, from `malformed-jws` to `local-certificate-unknown`: one of `signedTransactions` is not \
        what the App Store signed for this app; `fields` names it, and nothing of the request is stored.
        """,
        codes: ["idempotency-key-reused", "nonce-not-issued", "nonce-expired", "issuer-id-missing"] + signedDataCodes,
        examples: [
            Example(
                422, "idempotency-key-reused", "Idempotency key reused",
                "this Idempotency-Key was used for another request; use a new key for a new request"),
            Example(
                422, "nonce-not-issued", "Nonce not issued",
                """
                nonce 20fba8a0-2b80-4a7d-a17f-85c1854727f8 was not issued to this access key for this app; use POST \
                /v1/nonces
                """),
            Example(
                422, "nonce-expired", "Nonce expired",
                "nonce 20fba8a0-2b80-4a7d-a17f-85c1854727f8 has expired; get a new one, or leave it out"),
            Example(
                422, "issuer-id-missing", "No issuer id",
                "a JWS and the App Store Server API need the issuer id: set issuerId of the app com.example.app"),
            Example(
                422, "untrusted-root", "Signed data refused",
                "signedTransactions[0]: the chain ends in none of the trusted roots",
                fields: [("signedTransactions[0]", "the chain ends in none of the trusted roots")]),
        ])

    static let cannotSignIntroductoryOffers = SharedProblem(
        "CannotSignIntroductoryOffers", .rated,
        """
        The request is well-formed but cannot be carried out. Nothing is signed. A code of signed data, from `malformed-jws` \
        to `local-certificate-unknown`: `signedAppTransaction` is not what the App Store signed for this app.
        """,
        codes: ["idempotency-key-reused", "issuer-id-missing"] + signedDataCodes,
        examples: [
            Example(
                422, "idempotency-key-reused", "Idempotency key reused",
                "this Idempotency-Key was used for another request; use a new key for a new request"),
            Example(
                422, "issuer-id-missing", "No issuer id",
                "a JWS and the App Store Server API need the issuer id: set issuerId of the app com.example.app"),
        ])

    static let signedDataRefused = SharedProblem(
        "SignedDataRefused", .rated,
        """
        A code of signed data, from `malformed-jws` to `local-certificate-unknown`: `signedAppTransaction`, or one of \
        `signedTransactions`, is not what the App Store signed for this app; `fields` names it, and nothing of the request \
        is stored.
        """,
        codes: signedDataCodes,
        examples: [
            Example(
                422, "untrusted-root", "Signed data refused",
                "signedTransactions[0]: the chain ends in none of the trusted roots",
                fields: [("signedTransactions[0]", "the chain ends in none of the trusted roots")]),
            Example(
                422, "bundle-mismatch", "Signed data refused",
                "signedTransactions[0]: the data does not belong to the bundle id of this app",
                fields: [("signedTransactions[0]", "the data does not belong to the bundle id of this app")]),
        ])

    static let refusedByAppStore = SharedProblem(
        "RefusedByAppStore", .rated,
        """
        `issuer-id-missing`: the app has no `issuerId` in the configuration. `app-store-not-found`, \
        `app-store-rejected`: the App Store does not know the transaction, or refuses the request. \
        `app-store-app-not-released`: the Sandbox does not know the transaction, and Production does not accept the \
        app's key before the app's first release. Asking again does not help. Nothing is stored.
        """,
        examples: [
            Example(
                422, "issuer-id-missing", "No issuer id",
                "a JWS and the App Store Server API need the issuer id: set issuerId of the app com.example.app"),
            Example(
                422, "app-store-not-found", "Refused by the App Store",
                "the App Store answers 404, error 4040010"),
            Example(
                422, "app-store-app-not-released", "Refused by the App Store",
                """
                Production refuses the token (401) that the Sandbox accepts, as it does for an app that was never \
                released; the Sandbox does not know the transaction
                """),
            Example(
                422, "app-store-rejected", "Refused by the App Store",
                "the App Store answers 400, error 4000006"),
        ])

    static let receiptRefused = SharedProblem(
        "ReceiptRefused", .rated,
        """
        The receipt is not genuine (a code of signed data; `fields` names `receiptData`), or the App Store does not \
        accept it. `receipt-status-` is followed by the status that verifyReceipt gave, such as 21003 (not \
        authenticated) or 21004 (wrong shared secret). Nothing is stored.
        """,
        codes: [
            "app-store-not-found", "app-store-rejected", "receipt-status-{status}", "malformed-certificate-chain",
            "untrusted-root", "invalid-certificate-chain", "missing-intermediate-marker", "missing-leaf-marker",
            "certificate-expired", "certificate-not-yet-valid", "unsupported-certificate-key", "invalid-signature",
            "malformed-payload", "signed-in-future",
        ],
        examples: [
            Example(422, "receipt-status-21003", "Refused by the App Store", "verifyReceipt status 21003")
        ])

    static let rateLimited = SharedProblem(
        "RateLimited", .rated,
        "The caller has used up its rate.",
        headers: ["Retry-After": "Retry-After"],
        examples: [
            Example(429, "rate-limited", "Too many requests", "this access key has used up its rate; wait 1 s")
        ])

    static let internalError = SharedProblem(
        "InternalError", .ratedIfKnown,
        "The service failed. Nothing was signed that is not on record.",
        examples: [
            Example(500, "internal-error", "Internal error", "the service failed; report the requestId")
        ])

    static let notReady = SharedProblem(
        "NotReady", .ratedIfKnown,
        "The service cannot do this now: no active key, the store is away, or the clock is behind.",
        headers: ["Retry-After": "Retry-After"],
        examples: [
            Example(
                503, "not-ready", "Not ready",
                "could not record signatures: SQLite says database or disk is full; nothing was signed, try again")
        ])

    static let appStoreNotReady = SharedProblem(
        "AppStoreNotReady", .ratedIfKnown,
        """
        `not-ready`: the service cannot do this now, mostly because the store is away. `app-store-unavailable`: the App \
        Store could not be asked; `detail` says why. Nothing is stored. Repeat the request after `Retry-After`.
        """,
        headers: ["Retry-After": "Retry-After"],
        examples: [
            Example(
                503, "not-ready", "Not ready",
                "could not store history: SQLite says database or disk is full; nothing was signed, try again"),
            Example(
                503, "app-store-unavailable", "App Store not available",
                "app-store-rate-limited: the App Store answers 429, error 4290000"),
        ])

    static let malformedNotification = SharedProblem(
        "MalformedNotification", .unrated,
        "The body is not a notification: not one JSON object, or neither version 1 nor version 2.",
        examples: [
            Example(
                400, "malformed-notification", "Malformed notification",
                "the body has neither signedPayload nor notification_type")
        ])

    static let notAuthentic = SharedProblem(
        "NotAuthentic", .unrated,
        """
        The notification did not come from the App Store, or is for another app or environment. Version 2: a code of \
        signed data, or `app-mismatch`. Version 1: `shared-secret-missing`, `shared-secret-mismatch`, or \
        `bundle-mismatch`. Nothing is stored.
        - `app-mismatch`: The notification is for another `appAppleId`.
        - `shared-secret-missing`: The app has no `sharedSecret` in the configuration.
        - `shared-secret-mismatch`: The password is not the app's shared secret.
        """,
        codes: [
            "malformed-jws", "unsupported-algorithm", "malformed-certificate-chain", "untrusted-root",
            "invalid-certificate-chain", "missing-intermediate-marker", "missing-leaf-marker", "certificate-expired",
            "certificate-not-yet-valid", "unsupported-certificate-key", "invalid-signature", "malformed-payload",
            "signed-in-future", "bundle-mismatch", "environment-mismatch", "local-certificate-unknown", "app-mismatch",
            "shared-secret-missing", "shared-secret-mismatch",
        ],
        headers: ["WWW-Authenticate": "WWW-AuthenticateAppStore"],
        examples: [
            Example(401, "invalid-signature", "Not authentic", "the signature is not by the certificate's key"),
            Example(401, "shared-secret-mismatch", "Not authentic", "the password is not this app's shared secret"),
        ])

    static let malformedRetentionRequest = SharedProblem(
        "MalformedRetentionRequest", .unrated,
        "The body is not a request of Retention Messaging: not one JSON object with `signedPayload`.",
        examples: [
            Example(
                400, "malformed-retention-request", "Malformed retention request",
                "the body must be a JSON object with signedPayload, a string")
        ])

    static let retentionNotAuthentic = SharedProblem(
        "RetentionNotAuthentic", .unrated,
        """
        The request did not come from the App Store, is for another app or environment, or was signed at another time. \
        No offer and no message is given.
        - `app-mismatch`: The request is for another `appAppleId`.
        - `stale-request`: It was signed more than five minutes ago, or ahead of the clock here.
        """,
        codes: [
            "malformed-jws", "unsupported-algorithm", "malformed-certificate-chain", "untrusted-root",
            "invalid-certificate-chain", "missing-intermediate-marker", "missing-leaf-marker", "certificate-expired",
            "certificate-not-yet-valid", "unsupported-certificate-key", "invalid-signature", "malformed-payload",
            "signed-in-future", "environment-mismatch", "local-certificate-unknown", "app-mismatch", "stale-request",
        ],
        headers: ["WWW-Authenticate": "WWW-AuthenticateAppStore"],
        examples: [
            Example(
                401, "stale-request", "Not authentic",
                "the request was signed more than five minutes ago, or the clock here is wrong")
        ])

    static let retentionBodyTooLarge = SharedProblem(
        "RetentionBodyTooLarge", .unrated,
        "The body is larger than 64 KiB.",
        examples: [
            Example(413, "body-too-large", "Body too large", "this path accepts bodies of up to 65536 bytes")
        ])

    static let unknownAppOfNotification = SharedProblem(
        "UnknownAppOfNotification", .unrated,
        "The app is not configured.",
        examples: [
            Example(404, "unknown-app", "No such app", "the configuration has no app com.example.other")
        ])

    static let notFound = SharedProblem(
        "NotFound", .ratedIfKnown,
        "The answer to every path that this document does not list.",
        examples: [
            Example(404, "not-found", "No such resource", "nothing is served under this path; see /openapi.json")
        ])

    static let methodNotAllowed = SharedProblem(
        "MethodNotAllowed", .ratedIfKnown,
        "The answer to every method that this document does not list for a path that it lists.",
        headers: ["Allow": "Allow"],
        examples: [
            Example(405, "method-not-allowed", "Method not allowed", "this path accepts POST only")
        ])

    static let malformedRequest = SharedProblem(
        "MalformedRequest", .ratedIfKnown,
        """
        This is not an HTTP/1.1 request, its head is too long, or it does not name exactly one host. The connection is \
        closed.
        """,
        examples: [
            Example(
                400, "malformed-request", "Malformed request",
                "this is not an HTTP/1.1 request, its head is too long, or it does not have exactly one Host")
        ])

    static let transferCodingUnknown = SharedProblem(
        "TransferCodingUnknown", .ratedIfKnown,
        "The body comes in a transfer coding other than `chunked`. The connection is closed.",
        examples: [
            Example(
                501, "transfer-coding-unknown", "Transfer coding unknown",
                "a body needs Content-Length or Transfer-Encoding: chunked")
        ])
}
