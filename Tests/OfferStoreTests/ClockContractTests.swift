import EligibilityRules
import Foundation
import OfferStore
import OfferStoreTesting
import Testing

@Suite("Clock contract")
struct ClockContractTests {
    private let now = Instant(milliseconds: 1_700_000_000_000)

    @Test("It remembers when it was used last, and what an operator accepted", arguments: SigningStoreUnderTest.allCases)
    func signsOfLife(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        let (ledger, clock) = (store.ledger, store.processes.clock)
        #expect(try await clock.clockRecord() == ClockRecord())
        #expect(try await clock.clockRecord().lastSignOfLife == nil)
        _ = try await ledger.record(LedgerSubmission(.sample(at: now.milliseconds)))
        try await ledger.served(0, at: now.advanced(by: 60_000))
        #expect(try await clock.clockRecord().lastSignOfLife == now.advanced(by: 60_000))
        try await clock.accept(now.advanced(by: 90_000))
        #expect(try await clock.clockRecord().lastSignOfLife == now.advanced(by: 90_000))
        // What a wrong clock showed is forgotten.
        try await ledger.served(0, at: now.advanced(by: 1_000_000))
        try await clock.accept(now.advanced(by: 100_000))
        #expect(try await clock.clockRecord().lastSignOfLife == now.advanced(by: 100_000))
    }

    @Test(
        "A repair lets no signature of before count as the latest, and forgets no nonce",
        arguments: SigningStoreUnderTest.allCases)
    func repair(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        let (ledger, clock) = (store.ledger, store.processes.clock)
        let future = now.advanced(by: 402 * 86_400_000)
        let entries = [now, future, future].map { LedgerEntry.sample(nonce: UUID(), at: $0.milliseconds) }
        for entry in entries { _ = try await ledger.record(LedgerSubmission(entry)) }
        try await ledger.served(0, at: future)
        #expect(try await ledger.latestInstant() == future)
        #expect(try await clock.repair(at: now.advanced(by: 1000)) == 2)
        #expect(try await ledger.latestInstant() == now.advanced(by: 1000))
        #expect(try await clock.clockRecord().lastSignOfLife == now.advanced(by: 1000))
        for entry in entries {
            #expect(try await ledger.record(LedgerSubmission(entry)) == .nonceReplayed(entry.nonce))
            #expect(try await ledger.entry(nonce: entry.nonce) == entry)
        }
        _ = try await ledger.record(LedgerSubmission(.sample(at: now.milliseconds + 2000)))
        #expect(try await ledger.latestInstant() == now.advanced(by: 2000))
    }
}
