import Foundation
import OfferSigning
import Testing

@Suite("Nonce seal")
struct NonceSealTests {
    private static let period: Int64 = 15 * 60 * 1000
    private static let now: Int64 = 1_700_000_000_000

    private let seal: NonceSeal

    init() throws {
        let key = try AuthenticationKey(secret: [UInt8](repeating: 7, count: 32), slots: 1)
        seal = NonceSeal(key: key, period: NonceSealTests.period)
    }

    private func issue(app: String = "app", caller: String = "caller") throws -> NonceSeal.Issued {
        let random = try Crypto.randomBytes(NonceSeal.randomByteCount)
        return try seal.issue(app: app, caller: caller, now: NonceSealTests.now, random: random)
    }

    private func check(_ nonce: UUID, app: String = "app", caller: String = "caller", after: Int64 = 0) -> NonceSeal.Verdict {
        seal.check(nonce, app: app, caller: caller, now: NonceSealTests.now + after)
    }

    @Test("A nonce is a version-4 UUID")
    func version() throws {
        for _ in 0..<200 {
            let text = Array(try issue().nonce.uuidString)
            #expect(text[14] == "4")
            #expect("89AB".contains(text[19]))
        }
    }

    @Test("Every flipped bit is noticed")
    func flippedBits() throws {
        let nonce = try issue().nonce
        #expect(check(nonce) == .genuine)
        for bit in 0..<128 {
            var bytes = withUnsafeBytes(of: nonce.uuid) { Array($0) }
            bytes[bit / 8] ^= 1 << (bit % 8)
            let flipped = bytes.withUnsafeBytes { UUID(uuid: $0.load(as: uuid_t.self)) }
            #expect(check(flipped) == .notIssued, "bit \(bit)")
        }
    }

    @Test("Another app, another caller or shifted names do not pass")
    func binding() throws {
        let nonce = try issue(app: "ab", caller: "c").nonce
        #expect(check(nonce, app: "ab", caller: "c") == .genuine)
        #expect(check(nonce, app: "a", caller: "bc") == .notIssued)
        #expect(check(nonce, app: "ab", caller: "d") == .notIssued)
        #expect(check(nonce, app: "xb", caller: "c") == .notIssued)
    }

    @Test("Another secret's nonce does not pass")
    func otherSecret() throws {
        let other = NonceSeal(
            key: try AuthenticationKey(secret: [UInt8](repeating: 8, count: 32), slots: 1), period: NonceSealTests.period)
        let random = try Crypto.randomBytes(NonceSeal.randomByteCount)
        let nonce = try other.issue(app: "app", caller: "caller", now: NonceSealTests.now, random: random).nonce
        #expect(check(nonce) == .notIssued)
    }

    @Test("A nonce is good in its period and the next, and then expired")
    func lifetime() throws {
        let issued = try issue()
        let left = issued.expiresAt - NonceSealTests.now
        #expect(left > NonceSealTests.period && left <= 2 * NonceSealTests.period)
        #expect(check(issued.nonce, after: left - 1) == .genuine)
        #expect(check(issued.nonce, after: left) == .expired)
        #expect(check(issued.nonce, after: 10 * NonceSealTests.period) == .expired)
        #expect(check(issued.nonce, after: -2 * NonceSealTests.period) == .notIssued)
    }

    @Test("Random UUIDs do not pass")
    func strangers() {
        for _ in 0..<1000 { #expect(check(UUID()) == .notIssued) }
    }
}
