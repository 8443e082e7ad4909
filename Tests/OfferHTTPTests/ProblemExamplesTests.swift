import AppStore
import EligibilityRules
import Foundation
import NIOHTTP1
import OfferSigning
import OfferStore
import Testing
import WireText

@testable import OfferHTTP
@testable import OfferService

@Suite("Examples of problems in the OpenAPI document")
struct ProblemExamplesTests {
    private static let nonce = UUID(uuidString: "20FBA8A0-2B80-4A7D-A17F-85C1854727F8")!

    /// What the service answers in the situations that the document describes.
    private static let answers: [Problem] =
        [
            RequestFault.malformed(JSONParser.Fault(offset: 17, reason: "a value is expected here")),
            RequestFault.unknownFields([
                FieldFault(name: "offers[0].offerID", reason: "unknown field; known are productId, offerId, nonce")
            ]),
            RequestFault.invalidFields([FieldFault(name: "offers[0].productId", reason: "must not be empty")]),
            AppError.unknown("com.example.other"), AppError.unknownProduct("com.example.other.monthly"),
            IssueError.unknownOffer(productID: "com.example.pro.monthly", offerID: "other"),
            IssueError.nonceReplayed(nonce), IssueError.nonceNotIssued(nonce), IssueError.nonceExpired(nonce),
            IssueError.idempotencyKeyReused, AppError.issuerIDMissing("com.example.app"),
            HistoryError.signedDataRejected(
                field: "signedTransactions[0]", code: "untrusted-root",
                detail: "the chain ends in none of the trusted roots"),
            HistoryError.signedDataRejected(
                field: "signedTransactions[0]", code: "bundle-mismatch",
                detail: "the data does not belong to the bundle id of this app"),
            HistoryError.boundToAnotherCustomer, HistoryError.aliasOfAnotherCustomer,
            CustomerError.unknown(bundleID: "com.example.app"),
            HistoryError.notAuthentic(
                code: "invalid-signature", detail: "the signature is not by the certificate's key"),
            HistoryError.notAuthentic(
                code: "shared-secret-mismatch", detail: "the password is not this app's shared secret"),
            HistoryError.malformedNotification("the body has neither signedPayload nor notification_type"),
            HistoryError.notAuthentic(
                code: "stale-request",
                detail: "the request was signed more than five minutes ago, or the clock here is wrong"),
            RetentionError.malformed("the body must be a JSON object with signedPayload, a string"),
            HistoryError.appStoreFailed(
                code: "app-store-rate-limited", detail: "the App Store answers 429, error 4290000", retryAfter: 1),
            HistoryError.refusedByAppStore(
                code: "app-store-not-found", detail: "the App Store answers 404, error 4040010", isFinal: true),
            HistoryError.refusedByAppStore(
                code: "app-store-rejected", detail: "the App Store answers 400, error 4000006", isFinal: true),
            HistoryError.refusedByAppStore(
                code: "app-store-app-not-released",
                detail: "Production refuses the token (401) that the Sandbox accepts, as it does for an app that was never "
                    + "released; the Sandbox does not know the transaction",
                isFinal: false),
            HistoryError.refusedByAppStore(
                code: "receipt-status-21003", detail: "verifyReceipt status 21003", isFinal: true),
            StoreError(.unavailable, "could not store history: SQLite says database or disk is full"),
            StoreError(.unavailable, "could not record signatures: SQLite says database or disk is full"),
            Problem.unauthorized, Problem.forbidden(.sign, to: .viewer),
            Problem.bodyTooLarge(limit: 65_536), Problem.bodyTooLarge(limit: 1_048_576), Problem.bodyTooLarge(limit: 16_777_216),
            Problem.rateLimited(seconds: 1),
            Problem.internalError, Problem.notFound, Problem.methodNotAllowed(allow: "POST"), Problem.malformedRequest,
            Problem.codingUnknown,
            EndUserError.invalidToken(
                code: "expired", detail: "the token has expired (exp); get a new one where this one came from"),
            AccessError.unknownKey("0123456789abcdef"),
            EventError.unknownDelivery("17"), EventError.unknownEndpoint("crm"),
        ].map(Problem.init) + keyErrors.map(Problem.init) + campaignErrors.map(Problem.init) + [
            .campaignExists(CampaignName("spring-winback", of: "com.example.app")), .versionMissing,
            .changedMeanwhile(
                "0123456789abcdef saved a draft at 2026-03-01T09:00:00Z; your change was not made; look at the campaign as it is now and send the request again with If-Match: \"8\""
            ),
        ]

    private static let campaignErrors: [CampaignError] = [
        .unknownCampaign(CampaignName("spring-winback", of: "com.example.app")), .unknownRevision(7, latest: 2),
        .nothingPublished(CampaignName("spring-winback", of: "com.example.app")),
        .notNow(.publish, CampaignPosition(.writing, .live)), .outdated(basedOn: 1, latest: 2),
        .ownWork(author: "0123456789abcdef"),
        .invalidTesters([
            FieldFault(name: "testers[0].variant", reason: "third is not a variant of the campaign; give one of control, half")
        ]),
        .unknownSegment("lapsed"), .segmentInUse(by: ["the campaign spring-winback"]),
        .faultySegment([.unreadable("condition", "No customer can match. Correct it or remove it.")]),
        .faulty([.unreadable("variants", "The weights add up to 95 %. They must add up to 100 %.")]),
    ]

    private static let keyErrors: [KeyError] = [
        .unknownKey("ABCDEFGHIJ", bundleID: "any app that you may see"), .unknownProposal("90b3de1ba0ae4f25"),
        .ended("ABCDEFGHIJ", state: "revoked"), .active("ABCDEFGHIJ", bundleID: "com.example.app"),
        .onlyActive("ABCDEFGHIJ", bundleID: "com.example.app"), .notActive("ABCDEFGHIJ", bundleID: "com.example.app"),
        .notEverywhere("ABCDEFGHIJ", ["web2:8080"]), .nothingToRollBackTo(bundleID: "com.example.app"),
        .sameProposer("90b3de1ba0ae4f25"), .decidedMeanwhile,
        .folderReadOnly("Read-only file system"), .unusableKey("SubscriptionKey_ABCDEFGHIJ.p8: not a private key in PEM"),
    ]

    private struct Document: Decodable {
        struct Components: Decodable { let responses: [String: Response] }
        struct Response: Decodable { let content: [String: Content] }
        struct Content: Decodable { let examples: [String: Example]? }
        struct Example: Decodable { let value: Value }
        struct Value: Decodable {
            struct Field: Decodable { let name, reason: String }
            let type, title, code, detail: String
            let status: UInt
            let fields: [Field]?
        }
        let components: Components
    }

    @Test("Each is what the service answers, and named after its code")
    func examples() throws {
        let document = try JSONDecoder().decode(Document.self, from: Data(OpenAPIDocument.bytes(version: "0.0.0")))
        var count = 0
        for (place, response) in document.components.responses {
            for (name, example) in response.content["application/problem+json"]?.examples ?? [:] {
                let value = example.value
                let answer = Self.answers.first { $0.code == value.code && $0.detail == value.detail }
                let of = "\(place): \(value.code), \(value.detail)"
                #expect(answer != nil, "no such answer: \(of)")
                #expect(answer?.title == value.title && answer?.status.code == value.status, "\(of)")
                #expect((answer?.fields ?? []).map(\.name) == (value.fields ?? []).map(\.name), "\(of)")
                #expect((answer?.fields ?? []).map(\.reason) == (value.fields ?? []).map(\.reason), "\(of)")
                #expect(name == value.code && value.type == "https://offersigner.dev/problems/\(value.code)", "\(of)")
                count += 1
            }
        }
        #expect(count > 40)
    }
}
