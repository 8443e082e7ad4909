import Foundation
import OfferSigning
import Testing

@Suite("Nonce seal")
struct NonceSealTests {
    private static let period: Int64 = 15 * 60 * 1000
    private static let now: Int64 = 1_700_000_000_000

    private let seal: NonceSeal

    init() throws {
        let key = try AuthenticationKey(secret: [UInt8](repeating: 7, count: 32))
        seal = NonceSeal(key: key, period: NonceSealTests.period)
    }

    private func series(app: String = "app", caller: String = "caller", random: [UInt8]? = nil) throws -> NonceSeries {
        let random = try random ?? Crypto.randomBytes(NonceSeal.randomByteCount)
        return seal.series(app: app, caller: caller, now: NonceSealTests.now, random: random)
    }

    private func issue(app: String = "app", caller: String = "caller") throws -> UUID {
        var series = try series(app: app, caller: caller)
        return try series.next()
    }

    private func check(_ nonce: UUID, app: String = "app", caller: String = "caller", after: Int64 = 0) -> NonceSeal.Origin {
        seal.check(nonce, app: app, caller: caller, now: NonceSealTests.now + after)
    }

    @Test("A nonce is a version-4 UUID")
    func version() throws {
        for _ in 0..<200 {
            let text = Array(try issue().uuidString)
            #expect(text[14] == "4")
            #expect("89AB".contains(text[19]))
        }
    }

    @Test("Every flipped bit is noticed")
    func flippedBits() throws {
        let nonce = try issue()
        #expect(check(nonce) == .genuine(issuedDay: 19_675))
        for bit in 0..<128 {
            var bytes = withUnsafeBytes(of: nonce.uuid) { Array($0) }
            bytes[bit / 8] ^= 1 << (bit % 8)
            let flipped = bytes.withUnsafeBytes { UUID(uuid: $0.load(as: uuid_t.self)) }
            #expect(check(flipped) == .notIssued, "bit \(bit)")
        }
    }

    @Test("Another app, another caller or shifted names do not pass")
    func binding() throws {
        let nonce = try issue(app: "ab", caller: "c")
        #expect(check(nonce, app: "ab", caller: "c") == .genuine(issuedDay: 19_675))
        #expect(check(nonce, app: "a", caller: "bc") == .notIssued)
        #expect(check(nonce, app: "ab", caller: "d") == .notIssued)
        #expect(check(nonce, app: "xb", caller: "c") == .notIssued)
    }

    @Test("Another secret's nonce does not pass")
    func otherSecret() throws {
        let other = NonceSeal(
            key: try AuthenticationKey(secret: [UInt8](repeating: 8, count: 32)), period: NonceSealTests.period)
        let random = try Crypto.randomBytes(NonceSeal.randomByteCount)
        var series = other.series(app: "app", caller: "caller", now: NonceSealTests.now, random: random)
        let nonce = try series.next()
        #expect(check(nonce) == .notIssued)
    }

    @Test("A nonce is good in its period and the next, and then expired")
    func lifetime() throws {
        var series = try series()
        let nonce = try series.next()
        let left = series.expiresAt - NonceSealTests.now
        #expect(left > NonceSealTests.period && left <= 2 * NonceSealTests.period)
        #expect(check(nonce, after: left - 1) == .genuine(issuedDay: 19_675))
        #expect(check(nonce, after: left) == .expired)
        #expect(check(nonce, after: 10 * NonceSealTests.period) == .expired)
        #expect(check(nonce, after: -2 * NonceSealTests.period) == .notIssued)
    }

    @Test("The day of issue is the one on which the period began, whenever a nonce comes", arguments: [15, 7, 720] as [Int64])
    func issuedDay(minutes: Int64) throws {
        let seal = NonceSeal(key: try AuthenticationKey(secret: [7]), period: minutes * 60_000)
        // The last millisecond of the day.
        let now: Int64 = 19_675 * 86_400_000 + 86_399_999
        var series = seal.series(app: "app", caller: "c", now: now, random: try Crypto.randomBytes(NonceSeal.randomByteCount))
        let nonce = try series.next()
        #expect(series.issuedDay == 19_675)
        for time in [now, now + 1, series.expiresAt - 1] {
            #expect(seal.check(nonce, app: "app", caller: "c", now: time) == .genuine(issuedDay: 19_675))
        }
        #expect(seal.check(nonce, app: "app", caller: "c", now: series.expiresAt) == .expired)
        #expect(series.expiresAt <= now + 86_400_000)
    }

    @Test(
        "A longer period has the number of an earlier one again; its nonces are not good then", arguments: [15, 719] as [Int64])
    func otherLength(minutes: Int64) throws {
        let key = try AuthenticationKey(secret: [7])
        let number: Int64 = 19_675 * 1440 / minutes
        let (seal, longer) = (NonceSeal(key: key, period: minutes * 60_000), NonceSeal(key: key, period: (minutes + 1) * 60_000))
        let random = try Crypto.randomBytes(NonceSeal.randomByteCount)
        var series = seal.series(app: "app", caller: "c", now: number * minutes * 60_000, random: random)
        let again = longer.check(try series.next(), app: "app", caller: "c", now: number * (minutes + 1) * 60_000)
        #expect(again == .notIssued)
    }

    @Test("All nonces of a series share their first eight bytes, and are sealed one by one")
    func aSeries() throws {
        var series = try series(random: [1, 2, 3, 4, 5, 6, 0xFF, 8, 0xFE])
        let nonces = try (0..<NonceSeries.length).map { _ in try series.next() }
        for nonce in nonces { #expect(check(nonce) == .genuine(issuedDay: 19_675)) }
        let parts = nonces.map { nonce in withUnsafeBytes(of: nonce.uuid) { Array($0) } }
        #expect(parts.allSatisfy { $0.prefix(8) == [1, 2, 3, 4, 5, 6, 0x4F, 8] })
        #expect(parts.prefix(3).map { $0[8] } == [0xBE, 0xBF, 0x80])
        #expect(Set(parts.map { $0[8] }).count == NonceSeries.length)
        #expect(Set(parts.map { $0.suffix(7) }).count == NonceSeries.length)
        let exchanged = Array(parts[1].prefix(9) + parts[0].suffix(7))
        #expect(check(exchanged.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }) == .notIssued)
    }

    @Test("Random UUIDs do not pass")
    func strangers() {
        for _ in 0..<1000 { #expect(check(UUID()) == .notIssued) }
    }
}
