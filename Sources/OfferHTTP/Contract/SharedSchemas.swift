import OfferService
import WireText

extension NamedSchema {
    static let problem = NamedSchema(
        "Problem",
        "An error, as RFC 9457 describes it. `code` is stable; `detail` says what to do.",
        [
            Field(
                "type", .text(matching: #"^https://offersigner\.dev/problems/[a-z0-9]+(?:-[a-z0-9]+)*$"#).with("format", "uri"),
                "`https://offersigner.dev/problems/` and the code."),
            Field("title", .someText, "The kind of error in one line."),
            Field("status", .integer(400...599), "The HTTP status."),
            Field(
                "code",
                .text(matching: "^[a-z0-9]+(?:-[a-z0-9]+)*$").with(
                    "x-codes",
                    [
                        "malformed-request", "transfer-coding-unknown", "malformed-json", "unknown-field", "invalid-field",
                        "unauthorized", "invalid-token", "forbidden", "not-found", "unknown-app", "unknown-product",
                        "unknown-offer", "unknown-customer", "method-not-allowed", "nonce-replayed", "body-too-large",
                        "idempotency-key-reused", "nonce-not-issued", "nonce-expired", "issuer-id-missing", "rate-limited",
                        "internal-error", "not-ready", "bound-to-another-customer", "malformed-jws", "unsupported-algorithm",
                        "malformed-certificate-chain", "untrusted-root", "invalid-certificate-chain",
                        "missing-intermediate-marker", "missing-leaf-marker", "certificate-expired", "certificate-not-yet-valid",
                        "unsupported-certificate-key", "invalid-signature", "malformed-payload", "signed-in-future",
                        "bundle-mismatch", "environment-mismatch", "local-certificate-unknown", "app-mismatch", "stale-request",
                        "shared-secret-missing", "shared-secret-mismatch", "malformed-notification",
                        "malformed-retention-request", "app-store-not-found", "app-store-app-not-released", "app-store-rejected",
                        "app-store-unavailable", "unknown-campaign", "nothing-published", "unknown-revision", "unknown-segment",
                        "segment-in-use", "invalid-segment", "campaign-exists", "not-now", "outdated-draft", "invalid-campaign",
                        "invalid-testers", "precondition-required", "receipt-status-{status}", "unknown-key", "unknown-proposal",
                        "unknown-event", "unknown-endpoint", "unknown-access-key", "key-ended", "key-active", "key-needed",
                        "key-not-active", "key-not-everywhere", "nothing-to-roll-back-to", "second-person-needed",
                        "changed-meanwhile", "key-folder-read-only", "unusable-key",
                    ]),
                """
                The kind of error, for programs; `x-codes` lists them. There can be more in a later version: treat one that \
                you do not know by the HTTP status. `receipt-status-` is followed by the status that verifyReceipt gave.
                """),
            Field("detail", .someText, "What is wrong here and what to do."),
            Field("requestId", .text(1...128, matching: "^[!-~]{1,128}$"), "The X-Request-Id of this answer."),
            Field(
                optional: "fields", .list(.named("ProblemField"), from: 1),
                "The fields that the error is about. Always there with `unknown-field` and `invalid-field`."),
        ])

    static let problemField = NamedSchema(
        "ProblemField",
        "A field, and what is wrong with it.",
        [
            Field(
                "name", .text.with("examples", ["bundleId", "offers[0].productId", "Idempotency-Key"]),
                "The path of the field in the body, or the name of a header."),
            Field("reason", .someText, "What is wrong with it."),
        ])

    static let choosingCampaign = NamedSchema(
        "ChoosingCampaign",
        "The campaign that chose an offer, or decided about an introductory offer.",
        [
            Field("id", .text(1...64), "The campaign's id.", example: "spring-winback"),
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

    static let advice = NamedSchema(
        "Advice",
        """
        What the eligibility rules say of the offer. Present only where the app has `eligibility: advise` and the request \
        names the customer.
        """,
        [
            Field("status", .known("eligible", "ineligible", "unknown")),
            Field("reasons", .named("Reasons")),
            Field(optional: "evidence", .named("Evidence"), "The transaction that decided; left out where none did."),
        ])

    static let reasons = NamedSchema(
        "Reasons",
        "Why. The first reason decided.",
        .list(.named("Reason"), from: 1))

    static let reason = NamedSchema(
        "Reason",
        "One reason.",
        [
            Field(
                "code",
                .known(
                    "new-customer", "new-to-subscription-group", "lapsed-without-introductory-offer", "introductory-offer-used",
                    "current-subscriber", "active-subscriber", "subscriber-in-grace-period", "subscriber-in-billing-retry",
                    "lapsed-subscriber", "revoked-subscriber", "never-subscribed", "family-shared-only", "no-history",
                    "customer-not-named", "incomplete-history", "unknown-product", "no-introductory-offer",
                    "no-promotional-offer", "sandbox-history", "family-shared-not-counted", "renewal-unconfirmed",
                    "unrecognised-value", "assigned-seat-only", "assigned-seat-not-counted", "catalogue-group-differs",
                    "apple-account-used-introductory-offer", "offer-limit-reached", "purchases-in-xcode", "no-campaign-offer",
                    "other-billing-plan"),
                """
                - `new-customer`: The customer has never bought a subscription in this app.
                - `new-to-subscription-group`: The customer has never bought a subscription of this group.
                - `lapsed-without-introductory-offer`: The subscription has ended, and none of its periods used an \
                introductory offer.
                - `introductory-offer-used`: The customer has used an introductory offer of this subscription group.
                - `current-subscriber`: The customer is subscribed to this group.
                - `active-subscriber`: The customer is subscribed.
                - `subscriber-in-grace-period`: The customer is subscribed and in the billing grace period.
                - `subscriber-in-billing-retry`: The customer is subscribed, and the App Store is trying to collect the \
                price.
                - `lapsed-subscriber`: The customer was subscribed before.
                - `revoked-subscriber`: The customer was subscribed before; the last period was refunded or revoked.
                - `never-subscribed`: The customer has never subscribed in this app.
                - `family-shared-only`: The customer has the subscription only through Family Sharing.
                - `no-history`: No purchase history of this customer has ever been supplied, and the app requires one.
                - `customer-not-named`: The request does not say who the customer is.
                - `incomplete-history`: The history does not show all purchases.
                - `unknown-product`: The history holds a subscription whose group is not known.
                - `no-introductory-offer`: The catalogue has no introductory offer for this product.
                - `no-promotional-offer`: The catalogue has no such promotional offer for this product.
                - `sandbox-history`: The deciding purchase is from the sandbox, where eligibility can be reset.
                - `family-shared-not-counted`: Subscriptions shared by a family member were not counted.
                - `renewal-unconfirmed`: The last period has ended, and it is not known whether it renewed.
                - `unrecognised-value`: The App Store's data of a purchase has a value that this version does not know.
                - `assigned-seat-only`: The customer has the subscription only through a seat that another person paid for.
                - `assigned-seat-not-counted`: Seats that another person paid for were not counted.
                - `catalogue-group-differs`: The App Store names another subscription group for the product than the \
                catalogue.
                - `apple-account-used-introductory-offer`: The customer's Apple account has used an introductory offer of \
                this subscription group, in a purchase of another customer of the app.
                - `offer-limit-reached`: The offer has been signed as often as the catalogue allows; only in `refused` \
                results.
                - `purchases-in-xcode`: Purchases of StoreKit Testing in Xcode cannot be verified, so nothing is known of \
                them.
                - `no-campaign-offer`: No campaign gives this customer a requested offer.
                """),
            Field("message", .someText, "The same in one plain sentence."),
        ])

    static let evidence = NamedSchema(
        "Evidence",
        "The transaction that decided; empty where none did.",
        [
            Field(optional: "transactionId", .someText, example: "2000000123456789")
        ])

    static let environment = NamedSchema(
        "Environment",
        "The App Store's environment in which the customer buys.",
        .one(of: "Production", "Sandbox", "Xcode", "LocalTesting"))
}
