import Foundation
import OfferSignerClient
import Testing

@testable import OfferHTTP

/// What the document lets a caller send, against what the clients of Clients/ can send.
@Suite("Fields that the clients can send")
struct ClientFieldTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The schemas of requests, and of what is in their lists.
    private static let schemas = [
        "NonceRequest", "SignatureRequest", "OfferToSign", "IntroductoryOfferRequest", "IntroductoryOfferToSign",
        "EligibilityRequest", "OffersRequest", "VerifyRequest", "BindingRequest", "TransactionsRequest", "ReceiptRequest",
        "RefreshRequest",
    ]

    /// What the Swift client leaves out: it does not call `POST /v1/nonces`, since the service makes the nonces of its signatures.
    private static let exceptions = ["NonceRequest": ["bundleId", "count"], "OfferToSign": ["nonce"]]

    private struct Document: Decodable {
        struct Schema: Decodable {
            let properties: [String: Property]?
        }

        struct Property: Decodable {}

        struct Components: Decodable {
            let schemas: [String: Schema]
        }

        let components: Components

        static func fields(of schema: String) throws -> Set<String> {
            let document = try JSONDecoder().decode(Document.self, from: Data(OpenAPIDocument.bytes(version: "0.0.0")))
            return Set(try #require(document.components.schemas[schema]?.properties).keys)
        }
    }

    /// Requests with a value in each of their properties, as they are sent.
    private static func sent() throws -> [String: Set<String>] {
        func object(_ request: some Encodable) throws -> [String: Any] {
            try #require(try JSONSerialization.jsonObject(with: JSONEncoder().encode(request)) as? [String: Any])
        }
        func first(_ list: Any?) throws -> Set<String> { Set(try #require((list as? [[String: Any]])?.first).keys) }
        let token = UUID()
        var signatures = SignatureRequest(
            offers: [.init(productId: "p", offerId: "o")], form: .jws, customerId: "c", bundleId: "b", appAccountToken: token,
            transactionId: "1", signedTransactions: [])
        (signatures.environment, signatures.applicationUsername, signatures.appTransactionId) = ("Sandbox", "n", "2")
        (signatures.placement, signatures.attributes, signatures.billingPlan) = ("p", ["country": "US"], "monthly")
        var introductory = IntroductoryOfferRequest(
            products: [.init(productId: "p", transactionId: "1")], customerId: "c", bundleId: "b")
        (introductory.environment, introductory.placement, introductory.attributes) = ("Sandbox", "p", ["country": "US"])
        (introductory.signedAppTransaction, introductory.billingPlan) = ("a", "monthly")
        var eligibility = EligibilityRequest(products: ["p"], customerId: "c", bundleId: "b", signedTransactions: [])
        (eligibility.environment, eligibility.appAccountToken) = ("Sandbox", token)
        (eligibility.transactionId, eligibility.appTransactionId, eligibility.billingPlan) = ("1", "2", "monthly")
        var offers = OffersRequest(
            placement: "p", attributes: ["visits": 3], customerId: "c", bundleId: "b", signedTransactions: [])
        (offers.environment, offers.appAccountToken) = ("Sandbox", token)
        (offers.transactionId, offers.appTransactionId, offers.signedAppTransaction) = ("1", "2", "a")
        offers.billingPlan = "monthly"
        // The service takes a signature with its values, or a JWS.
        var verification = VerifyRequest(
            productId: "p", offerId: "o", applicationUsername: "n", nonce: token.uuidString, timestamp: 1, signature: "s",
            keyIdentifier: "k", bundleId: "b")
        verification.compactJWS = "j"
        var binding = BindingRequest(transactionId: "1", transfer: true, bundleId: "b")
        (binding.environment, binding.appAccountToken) = ("Sandbox", token)
        var transactions = TransactionsRequest(signedTransactions: [], customerId: "c", bundleId: "b")
        transactions.signedRenewalInfos = []
        // The service takes one of the two.
        var receipt = ReceiptRequest(receiptData: "r", customerId: "c", bundleId: "b")
        receipt.verifiedReceipt = try VerifiedReceipt(Data(#"{"status":0}"#.utf8))
        let refresh = RefreshRequest(transactionId: "1", customerId: "c", bundleId: "b")
        return [
            "SignatureRequest": Set(try object(signatures).keys), "OfferToSign": try first(object(signatures)["offers"]),
            "IntroductoryOfferRequest": Set(try object(introductory).keys),
            "IntroductoryOfferToSign": try first(object(introductory)["products"]),
            "EligibilityRequest": Set(try object(eligibility).keys), "OffersRequest": Set(try object(offers).keys),
            "VerifyRequest": Set(try object(verification).keys), "BindingRequest": Set(try object(binding).keys),
            "TransactionsRequest": Set(try object(transactions).keys), "ReceiptRequest": Set(try object(receipt).keys),
            "RefreshRequest": Set(try object(refresh).keys),
        ]
    }

    @Test("The Swift client sends every field of the document but the exceptions", arguments: schemas)
    func swift(schema: String) throws {
        let exceptions = Set(Self.exceptions[schema] ?? [])
        let fields = try Document.fields(of: schema)
        #expect(exceptions.isSubset(of: fields), "an exception that the document no longer has")
        #expect(try Self.sent()[schema] ?? [] == fields.subtracting(exceptions))
    }

    @Test("The TypeScript client has every field of the document", arguments: schemas)
    func typeScript(schema: String) throws {
        let types = try String(contentsOf: Self.root.appending(path: "Clients/TypeScript/src/types.ts"), encoding: .utf8)
        let start = try #require(types.range(of: "export type \(schema) = {\n"))
        let end = try #require(types.range(of: "\n}", range: start.upperBound..<types.endIndex))
        let members = types[start.upperBound..<end.lowerBound].split(separator: "\n").compactMap { line -> String? in
            guard line.hasPrefix("  "), !line.hasPrefix("   "), let colon = line.firstIndex(of: ":") else { return nil }
            let name = String(line[..<colon].drop { $0 == " " })
            return name.contains(" ") || name.contains("*") ? nil : name.replacing("?", with: "")
        }
        #expect(Set(members) == (try Document.fields(of: schema)))
    }

    @Test("Attributes are sent as they are, of both requests that campaigns decide")
    func attributes() throws {
        let attributes: [String: AttributeValue] = ["country": "US", "visits": 3, "premium": true]
        var signatures = SignatureRequest(offers: [.init(productId: nil, offerId: nil)], form: .payload)
        signatures.attributes = attributes
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let expected = #""attributes":{"country":"US","premium":true,"visits":3}"#
        for body in [try encoder.encode(signatures), try encoder.encode(OffersRequest(attributes: attributes))] {
            #expect(String(decoding: body, as: UTF8.self).contains(expected))
        }
    }

    @Test("The answer of verifyReceipt is passed on as it came")
    func verifiedReceipt() throws {
        let answer = #"{"a":[1,-2.5,"3",true,false,null,{}],"in_app":[{"purchase_date_ms":"1795247400000"}],"status":0}"#
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let body = try encoder.encode(ReceiptRequest(verifiedReceipt: VerifiedReceipt(Data(answer.utf8))))
        #expect(String(decoding: body, as: UTF8.self) == #"{"verifiedReceipt":\#(answer)}"#)
        #expect(throws: DecodingError.self) { try VerifiedReceipt(Data("<html>".utf8)) }
    }

    @Test("A customer's id is one part of the path, whatever it holds")
    func customerInPath() async throws {
        let transport = RecordingTransport()
        for base in ["https://offers.example.com", "https://offers.example.com/", "https://example.com/offers/"] {
            let signer = OfferSigner(baseURL: try #require(URL(string: base)), transport: transport) { "osk_1_2" }
            #expect(try await signer.bind(BindingRequest(transactionId: "1"), to: "a/b ?#%ü..").status == "bound")
            for id in ["", ".", ".."] {
                await #expect(throws: URLError.self) { try await signer.bind(BindingRequest(transactionId: "1"), to: id) }
            }
        }
        let path = "v1/customers/a%2Fb%20%3F%23%25%C3%BC../transactions"
        let sent = await transport.sent.map(\.absoluteString)
        #expect(
            sent == [
                "https://offers.example.com/\(path)", "https://offers.example.com/\(path)", "https://example.com/offers/\(path)",
            ])
    }

    @Test("A verification names its findings, and none for a valid signature")
    func verification() throws {
        let decoder = JSONDecoder()
        let good = try decoder.decode(VerifyAnswer.self, from: Data(#"{"valid":true}"#.utf8))
        #expect(good.isValid && good.findings.isEmpty)
        let bad = try decoder.decode(
            VerifyAnswer.self, from: Data(#"{"valid":false,"findings":[{"code":"expired","message":"m"}]}"#.utf8))
        #expect(!bad.isValid && bad.findings.map(\.code) == ["expired"])
    }
}

/// Binds everything, and keeps what it was asked.
private actor RecordingTransport: Transport {
    private(set) var sent: [URL] = []

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        sent.append(request.url)
        return TransportResponse(status: 200, retryAfter: nil, body: Data(#"{"status":"bound"}"#.utf8))
    }
}
