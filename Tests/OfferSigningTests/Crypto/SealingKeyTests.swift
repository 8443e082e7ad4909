import Foundation
import OfferSigningTesting
import Testing

@testable import OfferSigning

@Suite("Sealing")
struct SealingKeyTests {
    private static let secret: [UInt8] = Array(0..<32)
    private let key = try! Self.secret.withUnsafeBytes { try SealingKey(secret: $0) }
    private let place = Array("app\u{0}1000".utf8)

    @Test("What is sealed comes out as it went in, for the same place only", arguments: [0, 1, 15, 16, 17, 5000])
    func roundTrip(length: Int) throws {
        let message = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
        let sealed = try key.seal(message, for: place)
        #expect(sealed.count == length + SealingKey.overhead)
        #expect(key.open(sealed, for: place) == message)
        #expect(key.open(sealed, for: Array("app\u{0}1001".utf8)) == nil)
        #expect(key.open(sealed, for: []) == nil)
        #expect(try key.seal(message, for: place) != sealed)
    }

    @Test("No byte of it can be changed, and none be left out")
    func tampered() throws {
        let sealed = try key.seal(Array("a receipt".utf8), for: place)
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(key.open(changed, for: place) == nil)
            #expect(key.open(Array(sealed[..<index]), for: place) == nil)
        }
        #expect(key.open(sealed + [0], for: place) == nil)
        #expect(key.open(sealed, for: place) != nil)
    }

    @Test("Another secret has another id, and opens nothing of this one's")
    func anotherKey() throws {
        let other = try Array(1..<33).withUnsafeBytes { try SealingKey(secret: UnsafeRawBufferPointer(rebasing: $0[..<32])) }
        let sealed = try key.seal([1, 2, 3], for: place)
        #expect(SealingKey.keyID(of: sealed) == key.id && other.id != key.id)
        var disguised = sealed
        disguised.replaceSubrange(1..<5, with: other.id)
        #expect(other.open(sealed, for: place) == nil && other.open(disguised, for: place) == nil)
    }

    @Test("OpenSSL's own program finds the same id", .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/openssl")))
    func openssl() throws {
        let arguments = ["dgst", "-sha256", "-mac", "HMAC", "-macopt", "hexkey:\(Crypto.hexadecimal(Self.secret))", "-r"]
        let output = try OpenSSLCommand.run(arguments, input: Data("sealing key id".utf8)).output
        #expect(String(decoding: output, as: UTF8.self).hasPrefix(Crypto.hexadecimal(key.id)))
    }

    @Test("A secret of another length is none", arguments: [0, 31, 33])
    func length(count: Int) {
        #expect(throws: SigningError.self) {
            try [UInt8](repeating: 1, count: count).withUnsafeBytes { try SealingKey(secret: $0) }
        }
    }
}
