import Foundation
import OfferSigning
import OfferSigningTesting
import TestRandomness
import Testing

@Suite("Authentication key")
struct AuthenticationKeyTests {
    @Test(
        "The codes are those of RFC 4231",
        arguments: [
            ([UInt8](repeating: 0x0B, count: 20), "Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
            (
                Array("Jefe".utf8), "what do ya want for nothing?",
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                [UInt8](repeating: 0xAA, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
        ] as [([UInt8], String, String)])
    func vectors(secret: [UInt8], message: String, code: String) throws {
        let key = try AuthenticationKey(secret: secret)
        // Twice: a code leaves nothing behind.
        for _ in 0..<2 { #expect(key.withCode(for: Array(message.utf8)) { Crypto.hexadecimal($0) } == code) }
    }

    @Test(
        "The openssl command gets the same codes, whatever the lengths",
        arguments: [0, 1, 54, 55, 56, 63, 64, 65, 119, 120, 1000])
    func otherImplementation(length: Int) throws {
        var random = SplitMix64(seed: UInt64(length))
        let message = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
        for secretLength in [1, 32, 63, 64, 65] {
            let secret = (0..<secretLength).map { _ in UInt8.random(in: 0...255, using: &random) }
            let arguments = ["dgst", "-sha256", "-mac", "HMAC", "-macopt", "hexkey:\(Crypto.hexadecimal(secret))", "-binary"]
            let expected = try OpenSSLCommand.run(arguments, input: Data(message)).output
            #expect(try AuthenticationKey(secret: secret).withCode(for: message) { Data($0) } == expected)
        }
    }
}
