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
        "EligibilityRequest", "OffersRequest",
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
        (signatures.reuse, signatures.placement, signatures.attributes) = (true, "p", ["country": "US"])
        var introductory = IntroductoryOfferRequest(
            products: [.init(productId: "p", transactionId: "1")], customerId: "c", bundleId: "b")
        introductory.environment = "Sandbox"
        var eligibility = EligibilityRequest(products: ["p"], customerId: "c", bundleId: "b", signedTransactions: [])
        (eligibility.environment, eligibility.appAccountToken) = ("Sandbox", token)
        (eligibility.transactionId, eligibility.appTransactionId) = ("1", "2")
        var offers = OffersRequest(
            placement: "p", attributes: ["visits": 3], customerId: "c", bundleId: "b", signedTransactions: [])
        (offers.environment, offers.appAccountToken) = ("Sandbox", token)
        (offers.transactionId, offers.appTransactionId) = ("1", "2")
        return [
            "SignatureRequest": Set(try object(signatures).keys), "OfferToSign": try first(object(signatures)["offers"]),
            "IntroductoryOfferRequest": Set(try object(introductory).keys),
            "IntroductoryOfferToSign": try first(object(introductory)["products"]),
            "EligibilityRequest": Set(try object(eligibility).keys), "OffersRequest": Set(try object(offers).keys),
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
}
