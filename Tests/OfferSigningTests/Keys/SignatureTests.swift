import Foundation
import OfferSigning
import OfferSigningTesting
import Testing
import WireText

@Suite("Signatures")
struct SignatureTests {
    private let folder: TemporaryFolder
    private let key: SigningKey

    init() throws {
        folder = try TemporaryFolder()
        key = try KeyFile(path: folder.makeKey()).load(passphrase: nil, slots: 2)
        try folder.write(key.publicPEM, to: "public.pem")
    }

    private func opensslVerifies(_ signature: [UInt8], of message: [UInt8]) throws -> Bool {
        try Data(signature).write(to: folder.url.appending(path: "signature"))
        try Data(message).write(to: folder.url.appending(path: "message"))
        let arguments = ["dgst", "-sha256", "-verify", "public.pem", "-signature", "signature", "message"]
        return try OpenSSLCommand.run(arguments, in: folder.url).status == 0
    }

    @Test("The openssl command accepts what we sign, and refuses it once changed")
    func verifiedByOthers() throws {
        let message = Array("payload \u{2063} of an offer".utf8)
        let signature = try key.sign(message)
        #expect(try opensslVerifies(signature.der, of: message))
        #expect(try !opensslVerifies(signature.der, of: message + [0]))
        #expect(signature.digest == Crypto.sha256(message))
    }

    @Test("DER and r‖s turn into each other, short numbers included")
    func conversions() throws {
        for number in 0..<2000 {
            let der = try key.sign(Array("message \(number)".utf8)).der
            let raw = try #require(Signature.raw(fromDER: der))
            #expect(raw.count == 64)
            #expect(Signature.der(fromRaw: raw) == der)
        }
    }

    @Test("Numbers with leading zeros are padded")
    func shortIntegers() throws {
        // r = 1, s = 2
        let der: [UInt8] = [0x30, 0x06, 0x02, 0x01, 0x01, 0x02, 0x01, 0x02]
        let raw = try #require(Signature.raw(fromDER: der))
        #expect(raw == [UInt8](repeating: 0, count: 31) + [1] + [UInt8](repeating: 0, count: 31) + [2])
        #expect(Signature.der(fromRaw: raw) == der)
    }

    @Test(
        "What is not exactly one DER signature has no r‖s",
        arguments: [
            [], [0x30], [0x30, 0x06, 0x02, 0x01, 0x01, 0x02, 0x01], [0x30, 0x06, 0x02, 0x01, 0x01, 0x02, 0x01, 0x02, 0x00],
        ] as [[UInt8]])
    func malformedDER(bytes: [UInt8]) {
        #expect(Signature.raw(fromDER: bytes) == nil)
    }

    @Test("Many threads sign at once and every signature verifies")
    func concurrency() async throws {
        let key = key
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for task in 0..<16 {
                group.addTask {
                    for number in 0..<100 {
                        let message = Array("task \(task) message \(number)".utf8)
                        guard key.isValid(signature: try key.sign(message).der, of: message) else { return false }
                    }
                    return true
                }
            }
            for try await isValid in group { #expect(isValid) }
        }
    }

    @Test("A JWS has Apple's header and claims, and no exp")
    func promotionalJWS() throws {
        let nonce = UUID()
        let claims = JWSClaims(
            purpose: .promotionalOffer(productID: "pro \"monthly\"", offerID: "winback50", transactionID: nil),
            issuerID: "issuer", bundleID: "com.example.app", nonce: nonce, timestamp: 1_700_000_000_999)
        let parts = try key.sign(claims).compactJWS.split(separator: ".").map(String.init)
        let header = try JSONSerialization.jsonObject(with: decoded(parts[0])) as? [String: String]
        #expect(header == ["alg": "ES256", "kid": key.id, "typ": "JWT"])
        let payload = try #require(try JSONSerialization.jsonObject(with: decoded(parts[1])) as? [String: Any])
        #expect(Set(payload.keys) == ["iss", "iat", "aud", "bid", "nonce", "productId", "offerIdentifier"])
        #expect(payload["iat"] as? Int == 1_700_000_000)
        #expect(payload["aud"] as? String == "promotional-offer")
        #expect(payload["nonce"] as? String == nonce.uuidString.lowercased())
        #expect(payload["productId"] as? String == "pro \"monthly\"")
        let der = try #require(Signature.der(fromRaw: Array(decoded(parts[2]))))
        #expect(try opensslVerifies(der, of: Array("\(parts[0]).\(parts[1])".utf8)))
    }

    private func decoded(_ part: String) -> Data {
        var text = part.replacing("-", with: "+").replacing("_", with: "/")
        text += String(repeating: "=", count: (4 - text.count % 4) % 4)
        return Data(base64Encoded: text)!
    }
}
