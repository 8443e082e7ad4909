import EligibilityRules
import Foundation
import Logging
import OfferStore
import OfferStoreTesting
import Testing

@testable import OfferService

@Suite("Ledger janitor")
struct LedgerJanitorTests {
    private let hour: Int64 = 3_600_000

    private func janitor(_ ledger: any Ledger, now: Instant?, interval: Duration = .seconds(60)) -> LedgerJanitor {
        LedgerJanitor(
            ledger: ledger, retention: hour, interval: interval, now: { now }, uptime: { 0 },
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
    }

    @Test("Everything past its retention goes, never less than 25 hours old, and the last row stays")
    func cleaning() async throws {
        let ledger = MemoryLedger()
        let cleaner = janitor(ledger, now: Instant(milliseconds: 1_700_000_000_000))
        let ages = [100, 50, 30, 26, 24, 0] as [Int64]
        let nonces = ages.map { _ in UUID() }
        for (index, (age, nonce)) in zip(ages, nonces).enumerated() {
            _ = try await ledger.record(LedgerSubmission(.sample(nonce: nonce), idempotency: .sample(key: "\(age)")))
            try await ledger.served(hour * (age - (index == 5 ? 0 : ages[index + 1])), at: Instant(milliseconds: 0))
        }
        await cleaner.cleanOnce(served: 0)
        for (age, nonce) in zip(ages, nonces) {
            #expect((try await ledger.entry(nonce: nonce) != nil) == (age < 25), "a row of \(age) hours")
            let answer = try await ledger.answer(caller: "caller", key: "\(age)", now: Instant(milliseconds: 0))
            #expect((answer != nil) == (age < 24), "an answer of \(age) hours")
        }
    }

    @Test("While the clock is not trusted nothing ages and nothing goes")
    func distrust() async throws {
        let ledger = MemoryLedger()
        let nonces = [UUID(), UUID()]
        for nonce in nonces { _ = try await ledger.record(LedgerSubmission(.sample(nonce: nonce))) }
        for _ in 0..<100 { await janitor(ledger, now: nil).cleanOnce(served: hour) }
        await janitor(ledger, now: Instant(milliseconds: 0)).cleanOnce(served: 0)
        for nonce in nonces { #expect(try await ledger.entry(nonce: nonce) != nil) }
    }
}
