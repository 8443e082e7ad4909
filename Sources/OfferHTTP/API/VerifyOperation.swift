import OfferService
import WireText

extension Operation {
    static let verifySignature = Operation(
        id: "verifySignature", method: .post, path: "/v1/verify", access: .needs(.verify),
        about: About(
            tag: "diagnosis",
            summary: "Check a signature and say what is wrong",
            text: """
                Checks a signature in the original form against what it is believed to sign, or a compact JWS against what \
                Apple documents, and names what is wrong with it. Stores nothing. Ignores the catalogue.
                """,
            body: Body(
                .verifyRequest, size: BodySize.usual,
                examples: [
                    Example(
                        "signature",
                        #"""
                        {"bundleId": "com.example.app", "productId": "com.example.pro.monthly", "offerId": "winback50",
                        "applicationUsername": "7e3fb20b-4cdb-47cc-936d-99d65f608138",
                        "nonce": "20fba8a0-2b80-4a7d-a17f-85c1854727f8", "timestamp": 1795247400000,
                        "signature": "MEUCIChs6dRC5tuzerAv0ut5GlOsgQkgFQneBeWJfy4hBU2oAiEAyQzBUb/qsNpMGZfliJTsrv/sx8Q8C+QmNy\#
                        AwZoI4rlM=", "keyIdentifier": "ABCDEFGHIJ"}
                        """#),
                    Example(
                        "jws",
                        #"""
                        {"bundleId": "com.example.app",
                        "compactJWS": "eyJhbGciOiJFUzI1NiIsImtpZCI6IkFCQ0RFRkdISUoiLCJ0eXAiOiJKV1QifQ.eyJpc3MiOiI1NzI0NjU0M\#
                        iJ9.MEUCIChs6dRC5tuzerAv0ut5GlOsgQkgFQneBeWJfy4hBU2o"}
                        """#),
                ]),
            successes: [
                Success(
                    "Whether the signature is valid, and if not, why.", "VerifyAnswer",
                    examples: [
                        Example("valid", #"{"valid": true}"#),
                        Example(
                            "seconds",
                            #"""
                            {"valid": false, "findings": [{"code": "timestamp-in-seconds",
                            "message": "The signature verifies with the timestamp in milliseconds: give StoreKit millisecond\#
                            s."}]}
                            """#),
                    ])
            ],
            problems: [404: "UnknownApp", 413: "LargeBodyTooLarge"]))
}

extension NamedSchema {
    static let verifyRequest = NamedSchema(
        "VerifyRequest",
        """
        A signature in the original form and what it is believed to sign, or a compact JWS. Give either all the fields of the \
        original form (`applicationUsername` may be left out), or `compactJWS`.
        """,
        [
            .bundleID,
            Field(optional: "productId", .name.orNull, "The product's id.", example: "com.example.pro.monthly"),
            Field(optional: "offerId", .name.orNull, "The promotional offer's id.", example: "winback50"),
            Field(
                optional: "applicationUsername", .text(0...255, matching: Schema.plainText).orNull,
                "Field 5 as the app gives it to StoreKit: the username or the app account token. Left out: empty.",
                example: "7e3fb20b-4cdb-47cc-936d-99d65f608138"),
            Field(
                optional: "nonce", .name.orNull,
                "The nonce as it is given to StoreKit. A nonce that is not a UUID is a finding, not an error.",
                example: "20fba8a0-2b80-4a7d-a17f-85c1854727f8"),
            Field(
                optional: "timestamp", .time.orNull,
                "The timestamp as it is given to StoreKit. Seconds in place of milliseconds are a finding, not an error.",
                example: 1_795_247_400_000),
            Field(
                optional: "signature", .text(1...1024).orNull,
                "The signature as it was received. A text that is not Base64, or not a signature, is a finding, not an error.",
                example: "MEUCIChs6dRC5tuzerAv0ut5GlOsgQkgFQneBeWJfy4hBU2oAiEAyQzBUb/qsNpMGZfliJTsrv/sx8Q8C+QmNyAwZoI4rlM="),
            Field(
                optional: "keyIdentifier", .name.orNull, "The id of the key that is believed to have signed.",
                example: "ABCDEFGHIJ"),
            Field(
                optional: "compactJWS", .text(1...SignatureExamination.longestJWS).orNull,
                "The compact JWS as it was received. A text that is no JWS is a finding, not an error.",
                example: "eyJhbGciOiJFUzI1NiIsImtpZCI6IkFCQ0RFRkdISUoiLCJ0eXAiOiJKV1QifQ.eyJpc3MiOiI1NzI0NjU0MiJ9.MEUCIChs"),
        ])

    static let verifyAnswer = NamedSchema(
        "VerifyAnswer",
        "Whether the App Store can be expected to accept the signature, and if not, why.",
        .oneOf(.named("ValidSignature"), .named("InvalidSignature")))

    static let validSignature = NamedSchema(
        "ValidSignature",
        "The signature verifies, as given.",
        [
            Field("valid", .always(true))
        ])

    static let invalidSignature = NamedSchema(
        "InvalidSignature",
        "The signature does not verify as given, or is no longer usable.",
        [
            Field("valid", .always(false)),
            Field("findings", .list(.named("Finding"), from: 1)),
        ])

    static let finding = NamedSchema(
        "Finding",
        "One thing that is wrong.",
        [
            Field(
                "code",
                .known(
                    "base64-invalid", "base64-url", "base64-twice", "p1363-signature", "signature-malformed", "compact-jws",
                    "timestamp-in-seconds", "nonce-upper-case", "nonce-not-a-uuid", "wrong-separator", "username-trimmed",
                    "username-case", "username-missing", "username-differs", "unknown-key", "other-key", "key-revoked",
                    "other-bundle", "expired", "timestamp-in-future", "not-ours", "nonce-on-record", "payload-signature",
                    "jws-wrapped", "jws-malformed", "base64-standard", "der-signature", "app-store-jws", "wrong-algorithm",
                    "wrong-type", "key-id-missing", "wrong-audience", "other-issuer", "expiry-present", "claim-missing",
                    "claim-misspelt", "claim-unknown", "claim-malformed", "timestamp-in-milliseconds"),
                """
                - `base64-invalid`: The signature is not Base64.
                - `base64-url`: The signature is in the URL-safe alphabet or lacks its padding; StoreKit wants standard \
                Base64 with padding.
                - `base64-twice`: The signature, or the JWS, was Base64-encoded once more.
                - `p1363-signature`: The signature is r and s side by side (P1363); StoreKit wants ASN.1 DER.
                - `signature-malformed`: The bytes are not an ECDSA P-256 signature in any known form.
                - `compact-jws`: It is a compact JWS, and not the signature of a payload.
                - `timestamp-in-seconds`: The timestamp is in seconds; it must be in milliseconds.
                - `nonce-upper-case`: The nonce is in upper case; it must be lower-case in what is signed.
                - `nonce-not-a-uuid`: The nonce is not a UUID.
                - `wrong-separator`: Another character than U+2063 was signed between the fields.
                - `username-trimmed`: The username was signed with other white space at its ends than the one given.
                - `username-case`: The username was signed in another case than the one given.
                - `username-missing`: The signature was made with an empty field 5, or none was given here. Beside \
                `not-ours`: none was given, which may be the reason.
                - `username-differs`: Field 5 of the signature is another than the one given.
                - `unknown-key`: The service has no key with this id.
                - `other-key`: The signature was made with another key than the one named.
                - `key-revoked`: The key is revoked: the App Store refuses its signatures.
                - `other-bundle`: The signature was made for another app.
                - `expired`: The timestamp is more than 24 hours ago.
                - `timestamp-in-future`: The timestamp is in the future.
                - `not-ours`: Nothing that was tried makes the signature verify.
                - `nonce-on-record`: The ledger has this nonce for another product or offer, or for another signature; the \
                message names them.

                Only for `compactJWS`:
                - `payload-signature`: It is a signature in the original form, and no JWS.
                - `jws-wrapped`: White space, quotation marks or the word `Bearer` stand around the JWS or in it.
                - `jws-malformed`: It is not a compact JWS: three parts in base64url, the first two of them JSON objects.
                - `base64-standard`: A part is in standard Base64 or padded; base64url without padding is wanted.
                - `der-signature`: The signature is ASN.1 DER; a JWS has r and s side by side (P1363).
                - `app-store-jws`: The App Store has signed it, such as a transaction or a notification.
                - `wrong-algorithm`: `alg` in the header is not `ES256`.
                - `wrong-type`: `typ` in the header is not `JWT`.
                - `key-id-missing`: The header has no `kid`.
                - `wrong-audience`: `aud` is not one of Apple's two purposes of an offer.
                - `other-issuer`: `iss` is not the issuer id of the app.
                - `expiry-present`: The JWS has the claim `exp`, with which the App Store refuses it.
                - `claim-missing`: A claim that Apple requires is missing.
                - `claim-misspelt`: A claim has another name than Apple's, such as `offerId` for `offerIdentifier`.
                - `claim-unknown`: A claim does not belong in the JWS.
                - `claim-malformed`: A claim has a value of another type than Apple documents, or is empty.
                - `timestamp-in-milliseconds`: `iat` is in milliseconds; it must be in seconds.
                """),
            Field("message", .someText, "What is wrong and what to change."),
        ])
}
