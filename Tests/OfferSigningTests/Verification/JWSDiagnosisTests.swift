import Foundation
import OfferSigningTesting
import Testing
import WireText

@testable import OfferSigning

@Suite("JWS diagnosis")
struct JWSDiagnosisTests {
    private static let now: Int64 = 1_700_000_000_123
    private static let promotional = #"""
        {"iss":"issuer","iat":1700000000,"aud":"promotional-offer","bid":"com.example.app",
        "nonce":"20fba8a0-2b80-4a7d-a17f-85c1854727f8","productId":"pro","offerIdentifier":"offer","transactionId":"2000"}
        """#
    private static let introductory = #"""
        {"iss":"issuer","iat":1700000000,"aud":"introductory-offer-eligibility","bid":"com.example.app",
        "nonce":"20fba8a0-2b80-4a7d-a17f-85c1854727f8","productId":"pro","allowIntroductoryOffer":true,"transactionId":"2000"}
        """#

    private let folder: TemporaryFolder
    private let key: SigningKey
    private let otherKey: SigningKey
    private let foreignKey: SigningKey

    init() throws {
        folder = try TemporaryFolder()
        key = try KeyFile(path: folder.makeKey(id: "FIRSTKEY12")).load(passphrase: nil, slots: 1)
        otherKey = try KeyFile(path: folder.makeKey(id: "OTHERKEY12")).load(passphrase: nil, slots: 1)
        foreignKey = try KeyFile(path: folder.makeKey(id: "FOREIGNKEY")).load(passphrase: nil, slots: 1)
    }

    private func part(_ text: String) -> String { part(Array(text.utf8)) }

    private func part(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        Base64.appendURLSafe(bytes, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    private func jws(
        _ claims: String = promotional,
        header: String = #"{"alg":"ES256","kid":"FIRSTKEY12","typ":"JWT"}"#,
        signer: SigningKey? = nil,
        isDER: Bool = false
    ) throws -> String {
        let message = "\(part(header)).\(part(claims))"
        let signature = try (signer ?? key).sign(Array(message.utf8))
        return message + "." + part(isDER ? signature.der : try signature.raw)
    }

    private func codes(_ text: String, now: Int64 = now, revoked: Set<String> = []) -> [String] {
        let diagnosis = SignatureDiagnosis(keys: [key, otherKey], bundleIDs: [], revokedKeyIDs: revoked)
        let findings = diagnosis.findings(forJWS: text, bundleID: "com.example.app", issuerID: "issuer", now: now)
        #expect(findings.allSatisfy { !$0.message.isEmpty && $0.message.utf8.count < 300 })
        return findings.map(\.code.rawValue)
    }

    @Test("What is right has no findings, whatever the order of the claims, with and without a transaction")
    func right() throws {
        #expect(try codes(jws()) == [])
        #expect(try codes(jws(Self.introductory)) == [])
        #expect(try codes(jws(Self.promotional.replacing(#","transactionId":"2000""#, with: ""))) == [])
        #expect(try codes(jws(header: #"{"typ":"JWT","kid":"FIRSTKEY12","alg":"ES256"}"#)) == [])
        #expect(try codes(jws(), now: Self.now + 23 * 3_600_000) == [])
    }

    @Test("What the service signs has no findings")
    func own() throws {
        for purpose in [
            JWSClaims.Purpose.promotionalOffer(productID: "pro", offerID: "offer", transactionID: nil),
            .promotionalOffer(productID: "p\"ro", offerID: "offer", transactionID: "2000"),
            .introductoryOfferEligibility(productID: "pro", allowed: false, transactionID: "2000"),
        ] {
            let claims = JWSClaims(
                purpose: purpose, issuerID: "issuer", bundleID: "com.example.app", nonce: UUID(), timestamp: Self.now)
            #expect(try codes(jws(String(decoding: claims.json, as: UTF8.self))) == [])
        }
    }

    @Test("Mistakes with the text are named")
    func text() throws {
        let good = try jws()
        let parts = good.split(separator: ".").map(String.init)
        #expect(codes(Base64.encode(Array(good.utf8))) == ["base64-twice"])
        #expect(codes("\"\(good)\"\n") == ["jws-wrapped"])
        #expect(codes("Bearer \(good)") == ["jws-wrapped"])
        #expect(codes(good.replacing(".", with: ".\n")) == ["jws-wrapped"])
        #expect(try codes(Base64.encode(key.sign([1]).der)) == ["payload-signature"])
        for text in [
            "", "x", ".", "..", "a.b", "\(good).x", parts[0], "{\"compactJWS\":\"\(good)\"}", "é", "\(parts[0])..\(parts[2])",
        ] {
            #expect(codes(text).contains("jws-malformed"), "\(text)")
        }
        #expect(codes(Base64.encode([0x30, 0x2E, 0x02, 0x20, 0x2E, 0x80, 0x01])) == ["jws-malformed"])
        let signature = try #require(Base64.decodeURLSafe(Array(parts[2].utf8)))
        #expect(codes("\(parts[0]).\(parts[1]).\(Base64.encode(signature))") == ["base64-standard"])
        #expect(codes("\(parts[0]).\(parts[1]).\(part(Array(signature.prefix(60))))") == ["signature-malformed"])
        #expect(codes("\(parts[0]).\(parts[1]).") == ["signature-malformed"])
        #expect(try codes(jws(isDER: true)) == ["der-signature"])
    }

    @Test(
        "Mistakes in the header are named",
        arguments: [
            (#"{"alg":"ES384","kid":"FIRSTKEY12","typ":"JWT"}"#, ["wrong-algorithm"]),
            (#"{"kid":"FIRSTKEY12","typ":"JWT"}"#, ["wrong-algorithm"]),
            (#"{"alg":"ES256","kid":"FIRSTKEY12"}"#, ["wrong-type"]),
            (#"{"alg":"ES256","kid":"FIRSTKEY12","typ":"jwt"}"#, ["wrong-type"]),
            (#"{"alg":"ES256","typ":"JWT"}"#, ["key-id-missing"]),
            (#"{"alg":"ES256","kid":12,"typ":"JWT"}"#, ["key-id-missing"]),
            (#"{"alg":"ES256","kid":"SOMEOTHER1","typ":"JWT"}"#, ["unknown-key", "other-key"]),
            (#"{"alg":"ES256","kid":"OTHERKEY12","typ":"JWT"}"#, ["other-key"]),
            (#"{"alg":"ES256","x5c":["MIIB"]}"#, ["app-store-jws"]),
        ])
    func header(header: String, expected: [String]) throws {
        #expect(try codes(jws(header: header)) == expected)
    }

    @Test("Keys that did not sign, or may not, are named")
    func keys() throws {
        #expect(try codes(jws(signer: otherKey)) == ["other-key"])
        #expect(try codes(jws(signer: foreignKey)) == ["not-ours"])
        #expect(try codes(jws(), revoked: ["FIRSTKEY12"]) == ["key-revoked"])
        let parts = try jws().split(separator: ".")
        let changed = part(Self.promotional.replacing("\"pro\"", with: "\"max\""))
        #expect(codes("\(parts[0]).\(changed).\(parts[2])") == ["not-ours"])
    }

    /// Each mistake is one text of the right claims that is replaced by another.
    @Test(
        "Mistakes in the claims of a promotional offer are named",
        arguments: [
            (#""promotional-offer""#, #""promotional_offer""#, ["wrong-audience"]),
            (#""promotional-offer""#, #""appstoreconnect-v1""#, ["wrong-audience"]),
            (#""promotional-offer""#, #"["promotional-offer"]"#, ["claim-malformed"]),
            (#""aud":"promotional-offer","#, "", ["claim-missing"]),
            (#""iss":"issuer","#, "", ["claim-missing"]),
            (#""iss":"issuer""#, #""iss":"TEAM123456""#, ["other-issuer"]),
            (#""iss""#, #""issuerId""#, ["claim-misspelt"]),
            ("com.example.app", "com.example.news", ["other-bundle"]),
            (#""bid""#, #""bundleId""#, ["claim-misspelt"]),
            (#""offerIdentifier""#, #""offerId""#, ["claim-misspelt"]),
            (#""offerIdentifier""#, #""offeridentifier""#, ["claim-misspelt"]),
            (#""offerIdentifier""#, #""offerIdentifer""#, ["claim-misspelt"]),
            (#""productId""#, #""productID""#, ["claim-misspelt"]),
            (#""transactionId""#, #""originalTransactionId""#, ["claim-misspelt"]),
            (#""transactionId":"2000""#, #""transactionId":null"#, ["claim-malformed"]),
            (#""transactionId":"2000""#, #""transactionId":2000"#, ["claim-malformed"]),
            (#""transactionId":"2000""#, #""transactionId":"""#, ["claim-malformed"]),
            (#""iat":1700000000"#, #""iat":1700000000,"exp":1700000300"#, ["expiry-present"]),
            (#""iat":1700000000"#, #""iat":1700000000,"sub":"x""#, ["claim-unknown"]),
            (#""iat":1700000000"#, #""iat":1700000000,"allowIntroductoryOffer":true"#, ["claim-unknown"]),
            (#""iat":1700000000"#, #""iat":1700000000123"#, ["timestamp-in-milliseconds"]),
            (#""iat":1700000000"#, #""iat":"1700000000""#, ["claim-malformed"]),
            (#""iat":1700000000"#, #""iat":1700000000.5"#, ["claim-malformed"]),
            (#""iat":1700000000"#, #""iat":1699913000"#, ["expired"]),
            (#""iat":1700000000"#, #""iat":1700000400"#, ["timestamp-in-future"]),
            (#""iat":1700000000"#, #""iat":-9223372036854775808"#, ["timestamp-in-milliseconds", "expired"]),
            ("20fba8a0-2b80-4a7d-a17f-85c1854727f8", "20FBA8A0-2B80-4A7D-A17F-85C1854727F8", ["nonce-upper-case"]),
            ("20fba8a0-2b80-4a7d-a17f-85c1854727f8", "20fba8a0", ["nonce-not-a-uuid"]),
        ])
    func claims(right: String, wrong: String, expected: [String]) throws {
        let claims = Self.promotional.replacing(right, with: wrong)
        #expect(claims != Self.promotional)
        #expect(try codes(jws(claims)) == expected)
    }

    @Test(
        "Mistakes in the claims of an introductory offer are named",
        arguments: [
            (#""allowIntroductoryOffer":true"#, #""allowIntroductoryOffer":"true""#, ["claim-malformed"]),
            (#""allowIntroductoryOffer":true"#, #""allowIntroOffer":true"#, ["claim-misspelt"]),
            (#","transactionId":"2000""#, "", ["claim-missing"]),
            (#""allowIntroductoryOffer":true"#, #""allowIntroductoryOffer":true,"offerIdentifier":"offer""#, ["claim-unknown"]),
            (#""introductory-offer-eligibility""#, #""introductory-offer""#, ["wrong-audience"]),
        ])
    func introductoryClaims(right: String, wrong: String, expected: [String]) throws {
        #expect(try codes(jws(Self.introductory.replacing(right, with: wrong))) == expected)
    }
}
