import Foundation
import OfferSigning
import OfferSigningTesting
import Testing
import WireText

@Suite("Server API tokens")
struct ServerAPITokenTests {
    @Test("A token has Apple's header and claims, and the openssl command verifies it")
    func token() throws {
        let folder = try TemporaryFolder()
        let key = try KeyFile(path: folder.makeKey()).load(passphrase: nil, slots: 1)
        let token = ServerAPIToken(
            issuerID: "57246542-96fe-1a63-e053-0824d011072a", bundleID: "com.example.\"app\"", issuedAt: 1_700_000_000,
            lifetime: 300)
        let parts = try key.sign(token).split(separator: ".").map { Array($0.utf8) }
        try #require(parts.count == 3)
        let header = try #require(Base64.decodeURLSafe(parts[0]))
        let claims = try #require(Base64.decodeURLSafe(parts[1]))
        let decodedHeader = try JSONSerialization.jsonObject(with: Data(header)) as? [String: String]
        #expect(decodedHeader == ["alg": "ES256", "kid": key.id, "typ": "JWT"])
        let members = try #require(try JSONSerialization.jsonObject(with: Data(claims)) as? [String: Any])
        #expect(Set(members.keys) == ["iss", "iat", "exp", "aud", "bid"])
        #expect(members["iss"] as? String == "57246542-96fe-1a63-e053-0824d011072a")
        #expect(members["iat"] as? Int == 1_700_000_000)
        #expect(members["exp"] as? Int == 1_700_000_300)
        #expect(members["aud"] as? String == "appstoreconnect-v1")
        #expect(members["bid"] as? String == "com.example.\"app\"")

        let signature = try #require(Base64.decodeURLSafe(parts[2]).flatMap(Signature.der(fromRaw:)))
        try folder.write(key.publicPEM, to: "public.pem")
        try Data(signature).write(to: folder.url.appending(path: "signature"))
        try Data(parts[0] + [0x2E] + parts[1]).write(to: folder.url.appending(path: "message"))
        try folder.openssl("dgst", "-sha256", "-verify", "public.pem", "-signature", "signature", "message")
    }
}
