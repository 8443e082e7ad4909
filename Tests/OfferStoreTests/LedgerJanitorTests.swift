import EligibilityRules
import Foundation
import Logging
import OfferStore
import Testing

@Suite("Ledger janitor")
struct LedgerJanitorTests {
    @Test("Everything past its retention goes, never less than 25 hours old, and the last row stays")
    func cleaning() async throws {
        let ledger = MemoryLedger()
        let hour: Int64 = 3_600_000
        let now = Instant(milliseconds: 1_700_000_000_000)
        let ages = [100, 50, 30, 26, 24, 1] as [Int64]
        let nonces = ages.map { _ in UUID() }
        for (age, nonce) in zip(ages, nonces) {
            let entry = LedgerEntry.sample(nonce: nonce, at: now.milliseconds - age * hour)
            let record = IdempotencyRecord.sample(key: "\(age)", at: now.milliseconds - age * hour)
            _ = try await ledger.record(LedgerSubmission(entry, idempotency: record))
        }
        let janitor = LedgerJanitor(
            ledger: ledger, retention: hour, now: { now },
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
        await janitor.cleanOnce()
        for (age, nonce) in zip(ages, nonces) {
            #expect((try await ledger.entry(nonce: nonce) != nil) == (age <= 25), "a row of \(age) hours")
            let answer = try await ledger.answer(caller: "caller", key: "\(age)", now: Instant(milliseconds: 0))
            #expect((answer != nil) == (age < 24 || age == 24), "an answer of \(age) hours")
        }
    }
}
