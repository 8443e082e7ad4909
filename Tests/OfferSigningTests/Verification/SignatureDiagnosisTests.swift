import Foundation
import OfferSigning
import OfferSigningTesting
import Testing
import WireText

@Suite("Signature diagnosis")
struct SignatureDiagnosisTests {
    private static let nonce = UUID(uuidString: "20fba8a0-2b80-4a7d-a17f-85c1854727f8")!
    private static let now: Int64 = 1_700_000_000_123

    private let folder: TemporaryFolder
    private let key: SigningKey
    private let otherKey: SigningKey

    init() throws {
        folder = try TemporaryFolder()
        key = try KeyFile(path: folder.makeKey(id: "FIRSTKEY12")).load(passphrase: nil, slots: 1)
        otherKey = try KeyFile(path: folder.makeKey(id: "OTHERKEY12")).load(passphrase: nil, slots: 1)
    }

    /// A signature over these fields, presented as changed by `present`.
    private func codes(
        username: String = "User-1",
        separator: String = OfferPayload.separator,
        end: String = "",
        bundleID: String = "com.example.app",
        signer: SigningKey? = nil,
        text: ([UInt8]) -> String = Base64.encode,
        presentedUsername: String? = nil,
        presentedNonce: String = "20fba8a0-2b80-4a7d-a17f-85c1854727f8",
        presentedTimestamp: Int64 = now,
        presentedKey: String = "FIRSTKEY12",
        productID: String = "pro",
        revoked: Set<String> = [],
        now: Int64 = now
    ) throws -> [String] {
        let signer = signer ?? key
        let fields = [
            bundleID, signer.id, "pro", "offer", username, SignatureDiagnosisTests.nonce.uuidString.lowercased(),
            String(SignatureDiagnosisTests.now),
        ]
        let signature = try signer.sign(Array((fields.joined(separator: separator) + end).utf8)).der
        let presented = PresentedSignature(
            bundleID: "com.example.app", keyID: presentedKey, productID: productID, offerID: "offer",
            applicationUsername: presentedUsername ?? username, nonce: presentedNonce, timestamp: presentedTimestamp,
            signature: text(signature))
        let diagnosis = SignatureDiagnosis(
            keys: [key, otherKey], bundleIDs: ["com.example.app", "com.example.news"], revokedKeyIDs: revoked)
        return diagnosis.findings(for: presented, now: now).map(\.code.rawValue)
    }

    @Test("A good signature has no findings")
    func good() throws {
        #expect(try codes() == [])
        #expect(try codes(username: "") == [])
    }

    @Test("Mistakes with the signature's text are named")
    func text() throws {
        #expect(try codes(text: { Base64.encode(Array(Base64.encode($0).utf8)) }) == ["base64-twice"])
        #expect(try codes(text: { Base64.encode(Signature.raw(fromDER: $0)!) }) == ["p1363-signature"])
        #expect(try codes(text: { _ in "!!" }) == ["base64-invalid"])
        #expect(try codes(text: { Base64.encode(Array($0.prefix(60))) }) == ["signature-malformed"])
        let url = try codes(text: {
            Base64.encode($0).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        })
        #expect(url == ["base64-url"] || url == [])
    }

    @Test("Mistakes with the fields are named")
    func fields() throws {
        #expect(try codes(presentedTimestamp: 1_700_000_000) == ["timestamp-in-seconds"])
        #expect(try codes(presentedNonce: "20FBA8A0-2B80-4A7D-A17F-85C1854727F8") == ["nonce-upper-case"])
        #expect(try codes(presentedUsername: "user-1") == ["not-ours"])
        #expect(try codes(username: "user-1", presentedUsername: "User-1") == ["username-case"])
        #expect(try codes(username: "User-1 ", presentedUsername: "User-1") == ["username-trimmed"])
        #expect(try codes(username: "", presentedUsername: "User-1") == ["username-missing"])
        #expect(try codes(productID: "other") == ["not-ours"])
    }

    @Test(
        "A wrong separator is named",
        arguments: [
            "\u{2064}", "\u{2036}", "\u{2060}", "", " ", ".", "\\u2063", "\\u{2063}", "&#x2063;", "&#8291;", "%E2%81%A3",
            String(decoding: OfferPayload.separator.utf8.flatMap { Array(String(Unicode.Scalar($0)).utf8) }, as: UTF8.self),
        ])
    func separators(separator: String) throws {
        #expect(try codes(separator: separator) == ["wrong-separator"])
    }

    @Test("A separator behind the last field is named")
    func seventhSeparator() throws {
        #expect(try codes(end: OfferPayload.separator) == ["wrong-separator"])
    }

    @Test("A word for a value that is not set is named", arguments: ["undefined", "null", "None", "nil", "(null)"])
    func unset(word: String) throws {
        #expect(try codes(username: word, presentedUsername: "") == ["username-differs"])
        #expect(try codes(username: word, presentedUsername: "jane") == ["username-differs"])
    }

    @Test("An empty username is suspected where nothing else explains a signature")
    func forgottenUsername() throws {
        #expect(
            try codes(username: "7e3fb20b-4cdb-47cc-936d-99d65f608138", presentedUsername: "") == [
                "not-ours", "username-missing",
            ])
    }

    @Test("A compact JWS is named as one, whatever kind it is")
    func compactJWS() throws {
        for purpose in [
            JWSClaims.Purpose.promotionalOffer(productID: "pro", offerID: "offer", transactionID: nil),
            .introductoryOfferEligibility(productID: "pro", allowed: true, transactionID: "1"),
        ] {
            let claims = JWSClaims(
                purpose: purpose, issuerID: "i", bundleID: "com.example.app", nonce: Self.nonce, timestamp: Self.now)
            let jws = try key.sign(claims).compactJWS
            #expect(try codes(text: { _ in jws }) == ["compact-jws"])
            #expect(PresentedJWS(jws)?.nonce == Self.nonce.uuidString.lowercased())
        }
        for text in ["a.b.c", "..", "MEUCIQ==", "e30.e30", "e30.MQ.c2ln"] { #expect(PresentedJWS(text) == nil) }
    }

    @Test("Another key, another app and unknown keys are named")
    func keysAndApps() throws {
        #expect(try codes(signer: otherKey) == ["other-key"])
        #expect(try codes(bundleID: "com.example.news") == ["other-bundle"])
        #expect(try codes(presentedKey: "NOBODYSKEY").first == "unknown-key")
        #expect(try codes(revoked: ["FIRSTKEY12"]) == ["key-revoked"])
        #expect(try codes(revoked: ["OTHERKEY12"]) == [])
    }

    @Test("Two mistakes at once are both named")
    func twoMistakes() throws {
        let found = try codes(separator: "\u{2064}", presentedNonce: "20FBA8A0-2B80-4A7D-A17F-85C1854727F8")
        #expect(Set(found) == ["nonce-upper-case", "wrong-separator"])
    }

    @Test("Old signatures and fast clocks are named")
    func age() throws {
        let day: Int64 = 24 * 3600 * 1000
        #expect(try codes(now: SignatureDiagnosisTests.now + day + 1) == ["expired"])
        #expect(try codes(now: SignatureDiagnosisTests.now + day) == [])
        #expect(try codes(now: SignatureDiagnosisTests.now - 3_600_000) == ["timestamp-in-future"])
    }
}
