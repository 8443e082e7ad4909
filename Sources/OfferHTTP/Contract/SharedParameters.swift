import OfferService
import WireText

extension Operation.Parameter {
    /// All parameters that operations refer to by name.
    static let all: [Operation.Parameter] = [
        Operation.Parameter(
            "X-Request-Id", in: .header, .text,
            """
            A name for this request, echoed in the answer and written to the log. Used when it is 1 to 128 visible ASCII \
            characters; anything else is replaced, not refused.
            """, example: "6f0c2a1e-8a55-4c0e-9d0a-6c1c0e2f9b11"),
        Operation.Parameter(
            "Idempotency-Key", in: .header, .text(1...128, matching: "^[!-~]{1,128}$"),
            """
            Makes the request safe to repeat. The same key with the same body gives the stored 200 answer for 24 hours; \
            another body gives 422 `idempotency-key-reused`. Only 200 answers are stored. 1 to 128 visible ASCII characters, \
            else 400 `invalid-field` with the name `Idempotency-Key`.
            """, example: "0d9f6a1c-7d7c-4c53-8a55-1b1f3f2f7f30"),
        Operation.Parameter(
            "customerId", in: .path, .name,
            "The app's own user id.", example: "u-123"),
        Operation.Parameter(
            "bundleId", in: .path, .someText,
            "The app.", example: "com.example.app"),
        Operation.Parameter(
            "keyId", in: .path, .someText,
            "Apple's key id.", example: "ABCDEFGHIJ"),
        Operation.Parameter(
            "page", in: .path, .someText,
            "The `operationId` of an operation, or `codes`.", example: "signOffers"),
        Operation.Parameter(
            "id", in: .path, .someText,
            "The id.", example: "0123456789abcdef"),
        Operation.Parameter(
            "limit", in: .query, .integer(1...200).with("default", 200),
            "The most items to list.", example: 50),
        Operation.Parameter(
            "after", in: .query, .someText,
            "The `next` of an earlier answer.", example: "0123456789abcdef"),
        Operation.Parameter(
            "bundleIdOfRows", named: "bundleId", in: .query, .text,
            "Rows about this app, and those about none. Needed where your access key is for several apps.",
            example: "com.example.app"),
        Operation.Parameter(
            "actor", in: .query, .text,
            "Who did it: an access key's id, `command-line` or `service`.", example: "0123456789abcdef"),
        Operation.Parameter(
            "action", in: .query, .text,
            """
            What was done: the beginning of an action, such as `key.`; `signature.made`; `signature.refused`; `*` for \
            everything. Left out: everything but signatures and refusals.
            """, example: "key."),
        Operation.Parameter(
            "from", in: .query, .integer(0...),
            "Not before.", example: 1_795_000_000_000),
        Operation.Parameter(
            "until", in: .query, .integer(0...),
            "Not after.", example: 1_795_000_000_000),
        Operation.Parameter(
            "auditAfter", named: "after", in: .query, .text.with("minLength", 1).with("pattern", "^[0-9]+-[0-9]+-[0-9]+$"),
            "The `next` of an earlier answer.", example: "17-4-9"),
        Operation.Parameter(
            "originalTransactionId", in: .path, .transactionID,
            "The subscription's original transaction id, or any transaction id of it.", example: "2000000123456789"),
        Operation.Parameter(
            "bundleIdInQuery", named: "bundleId", in: .query, .name,
            "The app. May be left out when the access key is limited to one app, or when the service has just one app.",
            example: "com.example.app"),
        Operation.Parameter(
            "environmentInQuery", named: "environment", in: .query, .named("Environment"),
            "The environment that the request is about; default: the app's own."),
        Operation.Parameter(
            "timelineAfter", named: "after", in: .query, .someText,
            "The `next` of an earlier answer.", example: "purchase-2000000123456789"),
        Operation.Parameter(
            "campaignId", named: "id", in: .path, .someText,
            "The campaign's id.", example: "spring-winback"),
        Operation.Parameter(
            "segmentId", named: "id", in: .path, .someText,
            "The segment's id.", example: "lapsed"),
        Operation.Parameter(
            "campaignState", named: "state", in: .query, .one(of: "draft", "in-review", "scheduled", "live", "paused", "ended"),
            "Campaigns in this state only.", example: "live"),
        Operation.Parameter(
            "basedOn", in: .query, .integer(0...2_147_483_647),
            "The number of the revision that the draft was edited from; left out: as before, or the latest for a new draft.",
            example: 2),
        Operation.Parameter(
            "fromRevision", named: "from", in: .query, .someText,
            "The number of a revision, or `draft`; left out: what `to` came from.", example: "1"),
        Operation.Parameter(
            "toRevision", named: "to", in: .query, .someText,
            "The number of a revision, or `draft`; left out: the draft, or the latest revision where there is none.",
            example: "draft"),
        Operation.Parameter(
            "revisionsAfter", named: "after", in: .query, .text.with("minLength", 1).with("pattern", "^[1-9][0-9]*$"),
            "The `next` of an earlier answer.", example: "3"),
        Operation.Parameter(
            "campaignsAfter", named: "after", in: .query, .someText,
            "The `next` of an earlier answer.", example: "spring-winback"),
        Operation.Parameter(
            "If-Match", in: .header, isRequired: true, .someText,
            "The `ETag` of the version that the caller has seen, or `*` for any.", example: "*"),
        Operation.Parameter(
            "asOfInQuery", named: "asOf", in: .query, .integer(0...),
            """
            Exposures, purchases and refunds until then count, as they are known today. In ms since 1970, not in the future; \
            default: now.
            """, example: 1_795_000_000_000),
        Operation.Parameter(
            "eventEndpoint", named: "endpoint", in: .query, .text,
            "Those to this endpoint.", example: "crm"),
        Operation.Parameter(
            "eventType", named: "type", in: .query, .text,
            "Those of events of this type.", example: "offer.signed"),
        Operation.Parameter(
            "eventState", named: "state", in: .query, .one(of: "pending", "delivered", "failed"),
            "Those that are as far.", example: "failed"),
        Operation.Parameter(
            "eventCustomerId", named: "customerId", in: .query, .text,
            "Those about this customer.", example: "customer-1"),
        Operation.Parameter(
            "before", in: .query, .integer(1...),
            "`next` of an earlier answer.", example: 120),
        Operation.Parameter(
            "eventNumber", named: "number", in: .path, .text,
            "The number of a delivery.", example: "17"),
        Operation.Parameter(
            "endpointName", named: "name", in: .path, .text,
            "The endpoint in the configuration.", example: "crm"),
    ]
}
