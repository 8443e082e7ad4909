import OfferService
import OfferStore
import OfferStoreTesting
import Testing

@Suite("Cryptography of the audit log")
struct AuditFunctionsTests {
    @Test("SHA-256 and HMAC are those that the tests have of their own", arguments: [0, 1, 55, 56, 63, 64, 65, 119, 120, 1000])
    func same(_ count: Int) throws {
        let message = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let secrets: [[UInt8]] = [[], [1, 2, 3], [UInt8](repeating: 9, count: 64), [UInt8](repeating: 9, count: 65)]
        #expect(digest(AuditFunctions.openSSL.sha256, message) == digest(AuditFunctions.testing.sha256, message))
        for secret in secrets {
            let (own, plain) = (try AuditFunctions.openSSL.hmac(secret), try AuditFunctions.testing.hmac(secret))
            #expect(digest(own, message) == digest(plain, message))
        }
    }

    private func digest(_ function: AuditFunctions.Digest, _ message: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        digest.withUnsafeMutableBytes { digest in message.withUnsafeBytes { function($0, digest.baseAddress!) } }
        return digest
    }
}
