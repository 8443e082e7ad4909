import EligibilityRules
import Foundation
import Logging
import OfferStore
import Testing

@Suite("Ledger janitor")
struct LedgerJanitorTests {
    private let hour: Int64 = 3_600_000

    private func janitor(_ ledger: MemoryLedger, now: Instant) -> LedgerJanitor {
        LedgerJanitor(
            ledger: ledger, retention: hour, now: { now },
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
    }

    @Test("A clock that is years ahead deletes nothing that is still good")
    func fastClock() async throws {
        let ledger = MemoryLedger()
        let nonces = [UUID(), UUID()]
        for (index, nonce) in nonces.enumerated() {
            let record = IdempotencyRecord.sample(key: "\(index)", at: 1_700_000_000_000)
            _ = try await ledger.record(
                LedgerSubmission(.sample(nonce: nonce, at: 1_700_000_000_000), idempotency: record))
        }
        await janitor(ledger, now: Instant(milliseconds: 1_900_000_000_000)).cleanOnce()
        for (index, nonce) in nonces.enumerated() {
            #expect(try await ledger.entry(nonce: nonce) != nil)
            #expect(try await ledger.answer(caller: "caller", key: "\(index)", now: Instant(milliseconds: 0)) != nil)
        }
    }

    @Test("Everything past its retention goes, never less than 25 hours old, and the last row stays")
    func cleaning() async throws {
        let ledger = MemoryLedger()
        let now = Instant(milliseconds: 1_700_000_000_000)
        let ages = [100, 50, 30, 26, 24, 0] as [Int64]
        let nonces = ages.map { _ in UUID() }
        for (age, nonce) in zip(ages, nonces) {
            let entry = LedgerEntry.sample(nonce: nonce, at: now.milliseconds - age * hour)
            let record = IdempotencyRecord.sample(key: "\(age)", at: now.milliseconds - age * hour)
            _ = try await ledger.record(LedgerSubmission(entry, idempotency: record))
        }
        await janitor(ledger, now: now).cleanOnce()
        for (age, nonce) in zip(ages, nonces) {
            #expect((try await ledger.entry(nonce: nonce) != nil) == (age <= 25), "a row of \(age) hours")
            let answer = try await ledger.answer(caller: "caller", key: "\(age)", now: Instant(milliseconds: 0))
            #expect((answer != nil) == (age < 24 || age == 24), "an answer of \(age) hours")
        }
    }
}
