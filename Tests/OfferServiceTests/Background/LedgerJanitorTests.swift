import EligibilityRules
import Foundation
import OfferStore
import OfferStoreTesting
import ServiceLifecycle
import Testing

@testable import OfferService

@Suite("Ledger janitor", .timeLimit(.minutes(30)))
struct LedgerJanitorTests {
    private let hour: Int64 = 3_600_000
    private let store: TemporaryStore
    private let clock: ManualClock

    init() {
        let clock = ManualClock(Instant.testNow.milliseconds)
        (self.clock, store) = (clock, TemporaryStore { clock.now })
    }

    private func janitor(_ ledger: any Ledger, now: Instant?, interval: Duration = .seconds(60)) -> LedgerJanitor {
        LedgerJanitor(
            ledger: ledger, histories: store.histories,
            storagePeriods: RetentionPeriods(ledger: hour, notifications: 100 * hour), interval: interval, now: { now },
            system: ManualClock(0).environment, failures: RecordedLog().makeFailureLog())
    }

    @Test("Everything past its retention goes, never less than 25 hours old, and the last row stays")
    func cleaning() async throws {
        let ledger = store.ledger
        let cleaner = janitor(ledger, now: Instant(milliseconds: 1_700_000_000_000))
        let ages = [100, 50, 30, 26, 23, 0] as [Int64]
        let nonces = ages.map { _ in UUID() }
        for age in stride(from: ages[0], through: 0, by: -1) {
            if let index = ages.firstIndex(of: age) {
                let answer = IdempotencyRecord.sample(key: "\(age)", at: Instant.hours(-age).milliseconds)
                _ = try await ledger.record(LedgerSubmission(.sample(nonce: nonces[index]), idempotency: answer))
            }
            if age > 0 { try await ledger.served(hour, at: .hours(1 - age)) }
        }
        await cleaner.cleanOnce(served: 0)
        for (age, nonce) in zip(ages, nonces) {
            #expect((try await ledger.entry(nonce: nonce) != nil) == (age < 25), "a row of \(age) hours")
            let answer = try await ledger.answer(caller: "caller", key: "\(age)", now: Instant(milliseconds: 0))
            #expect((answer != nil) == (age < 24), "an answer of \(age) hours")
        }
    }

    @Test("The content of notifications goes after a retention of its own, by time served, whatever a clock said when they came")
    func notifications() async throws {
        let (ledger, histories) = (store.ledger, store.histories)
        func content() async throws -> [Int] {
            try await histories.wholeNotifications(partition: "com.example.app", originalTransactionID: "1").map(\.body.count)
        }
        func change(_ number: Int) -> HistoryChange {
            let now = Instant(milliseconds: number == 7 ? 0 : Int64(number))
            let record = NotificationRecord(
                key: [UInt8(number)], version: 2, type: "TEST", subtype: nil, originalTransactionID: "1", body: [1],
                receivedAt: now)
            return .sample([], notification: record, at: now)
        }
        for day in 0..<8 {
            _ = try await histories.apply(change(day))
            await janitor(ledger, now: .hours(Int64(24 * day))).cleanOnce(served: day == 0 ? 0 : 24 * hour)
            #expect(try await content().count { $0 == 0 } == max(0, day - 4))
        }
        // A clock that is years ahead makes nothing older.
        await janitor(ledger, now: .hours(100_000)).cleanOnce(served: 60_000)
        #expect(try await content().sorted() == [0, 0, 0, 1, 1, 1, 1, 1])
        #expect(try await histories.apply(change(0)) == .knownNotification)
    }

    @Test("While the clock is not trusted nothing ages and nothing goes")
    func distrust() async throws {
        let ledger = store.ledger
        let nonces = [UUID(), UUID()]
        for nonce in nonces { _ = try await ledger.record(LedgerSubmission(.sample(nonce: nonce))) }
        for _ in 0..<100 { await janitor(ledger, now: nil).cleanOnce(served: hour) }
        await janitor(ledger, now: Instant(milliseconds: 0)).cleanOnce(served: 0)
        for nonce in nonces { #expect(try await ledger.entry(nonce: nonce) != nil) }
    }

    /// Lets all that is in it be 25 hours old.
    private func age(_ ledger: any Ledger) async throws {
        for served in [0, 25 * hour] { try await ledger.served(served, at: .hours(1)) }
    }

    /// Runs a test while the janitor looks every minute; the clock is trusted while it shows no time before the start.
    private func cleaning(
        _ ledger: RecordedLedger,
        _ clock: ManualClock,
        _ log: RecordedLog,
        _ test: () async throws -> Void
    ) async throws {
        let janitor = LedgerJanitor(
            ledger: ledger, histories: store.histories,
            storagePeriods: RetentionPeriods(ledger: hour, notifications: hour),
            now: { clock.now < .testNow ? nil : clock.now }, system: clock.environment, failures: log.makeFailureLog())
        try await ServiceGroup.serving(janitor, while: test)
    }

    @Test("Time served is summed up each minute and at a stop: no sleep of the machine, nothing while the clock is not trusted")
    func served() async throws {
        let (ledger, clock, log) = (RecordedLedger(), ManualClock(Instant.testNow.milliseconds), RecordedLog())
        try await cleaning(ledger, clock, log) {
            #expect(await clock.nextSleep() == .seconds(60))
            for pause in [60_000, 61_000, 100 * hour] {
                clock.pass(pause)
                #expect(await clock.nextSleep() == .seconds(60))
            }
            #expect(ledger.served == [0, 60_000, 61_000, 120_000])
            clock.leap(-200 * hour)
            clock.pass(60_000)
            #expect(await clock.nextSleep() == .seconds(60))
            clock.leap(200 * hour)
            clock.pass(60_000)
            #expect(await clock.nextSleep() == .seconds(60))
            #expect(ledger.served == [0, 60_000, 61_000, 120_000, 60_000])
            clock.pass(7000)
        }
        #expect(ledger.served == [0, 60_000, 61_000, 120_000, 60_000, 7000])
        #expect(log.lines == [])
    }

    @Test("Of several processes one counts the time that all of them serve, and another goes on where it stops")
    func turns() async throws {
        let (clock, log, leases) = (clock, RecordedLog(), store.leases)
        let ledger = RecordedLedger()
        let janitor = LedgerJanitor(
            ledger: ledger, histories: store.histories, turn: (leases, "own"),
            storagePeriods: RetentionPeriods(ledger: hour, notifications: hour), now: { clock.now }, system: clock.environment,
            failures: log.makeFailureLog())
        #expect(try await leases.acquire("retention", holder: "other", milliseconds: hour))
        try await ServiceGroup.serving(janitor) {
            #expect(await clock.nextSleep() == .seconds(60))
            clock.pass(60_000)
            #expect(await clock.nextSleep() == .seconds(60))
            #expect(ledger.served == [])
            try await leases.release("retention", holder: "other")
            clock.pass(60_000)
            #expect(await clock.nextSleep() == .seconds(60))
            // What was served before its turn the other process has counted.
            #expect(ledger.served == [0])
            clock.pass(60_000)
            #expect(await clock.nextSleep() == .seconds(60))
            #expect(try await !leases.acquire("retention", holder: "other", milliseconds: 1))
            clock.pass(7000)
        }
        #expect(ledger.served == [0, 60_000, 7000])
        #expect(try await leases.acquire("retention", holder: "other", milliseconds: 1))
        #expect(log.lines == [])
    }

    @Test("A process that was frozen counts none of the time in which another one had its turn")
    func frozen() async throws {
        let (clock, log, leases) = (clock, RecordedLog(), store.leases)
        let ledger = RecordedLedger()
        let janitor = LedgerJanitor(
            ledger: ledger, histories: store.histories, turn: (leases, "own"),
            storagePeriods: RetentionPeriods(ledger: hour, notifications: hour), now: { clock.now }, system: clock.environment,
            failures: log.makeFailureLog())
        try await ServiceGroup.serving(janitor) {
            #expect(await clock.nextSleep() == .seconds(60))
            clock.pass(60_000)
            #expect(await clock.nextSleep() == .seconds(60))
            clock.leap(200_000)
            #expect(try await leases.acquire("retention", holder: "other", milliseconds: 1))
            try await leases.release("retention", holder: "other")
            clock.pass(200_000)
            #expect(await clock.nextSleep() == .seconds(60))
            clock.pass(60_000)
            #expect(await clock.nextSleep() == .seconds(60))
        }
        #expect(ledger.served == [0, 60_000, 0, 60_000, 0])
    }

    @Test("A ledger that cannot be written is reported, nothing goes meanwhile, and the next round comes")
    func failure() async throws {
        let (ledger, clock, log) = (RecordedLedger(), ManualClock(Instant.testNow.milliseconds), RecordedLog())
        let nonces = [UUID(), UUID()]
        for nonce in nonces { _ = try await ledger.record(LedgerSubmission(.sample(nonce: nonce))) }
        try await age(ledger)
        ledger.isAway = true
        try await cleaning(ledger, clock, log) { () async throws in
            #expect(await clock.nextSleep() == .seconds(60))
            #expect(try await ledger.entry(nonce: nonces[0]) != nil)
            ledger.isAway = false
            clock.pass(60_000)
            #expect(await clock.nextSleep() == .seconds(60))
            #expect(try await ledger.entry(nonce: nonces[0]) == nil)
        }
        #expect(log.failures == ["store-unavailable"])
        #expect(log.lines == ["error: retention could not be applied"])
    }

    /// Has no room for the next day, and cannot delete refusals.
    private struct FaultyLedger: ForwardingLedger {
        let store = TemporaryStore()

        var ledger: any Ledger { store.ledger }

        func prepareDays(keeping age: Int64) async throws(StoreError) {
            throw StoreError(.unavailable, "no right to make a table")
        }

        func pruneRefusals(servedSince age: Int64, limit: Int) async throws(StoreError) -> Int {
            throw StoreError(.unavailable, "the refusals are damaged")
        }
    }

    @Test("What fails keeps nothing else from being deleted")
    func isolation() async throws {
        let (ledger, log) = (FaultyLedger(), RecordedLog())
        let nonces = [UUID(), UUID()]
        for nonce in nonces {
            _ = try await ledger.record(LedgerSubmission(.sample(nonce: nonce), idempotency: .sample(key: nonce.uuidString)))
        }
        try await age(ledger)
        let janitor = LedgerJanitor(
            ledger: ledger, histories: store.histories,
            storagePeriods: RetentionPeriods(ledger: hour, notifications: hour), now: { .testNow },
            system: ManualClock(0).environment, failures: log.makeFailureLog())
        await janitor.cleanOnce(served: 0)
        #expect(try await ledger.entry(nonce: nonces[0]) == nil)
        #expect(try await ledger.answer(caller: "caller", key: nonces[1].uuidString, now: Instant(milliseconds: 0)) == nil)
        #expect(log.failures == ["store-unavailable", "store-unavailable"])
    }

    @Test("Much that is due goes in slices, with a pause after each; a stop in a pause still notes the time served")
    func slices() async throws {
        let (ledger, clock, log) = (RecordedLedger(), ManualClock(Instant.testNow.milliseconds), RecordedLog())
        for _ in 0..<1101 { _ = try await ledger.record(LedgerSubmission(.sample())) }
        try await age(ledger)
        try await cleaning(ledger, clock, log) {
            #expect(await clock.nextSleep() == .milliseconds(20))
            clock.pass(20)
            #expect(await clock.nextSleep() == .milliseconds(20))
            clock.pass(5)
        }
        #expect(ledger.served == [0, 25 * hour, 0, 25])
        #expect(try await ledger.prune(servedSince: 25 * hour, limit: 500) == 100)
        #expect(log.lines == [])
    }

    @Test("What takes longer than its share goes on in another round, at once: the time served is noted, and the turn renewed")
    func shares() async throws {
        let (ledger, clock, log) = (RecordedLedger(), ManualClock(Instant.testNow.milliseconds), RecordedLog())
        for _ in 0..<1101 { _ = try await ledger.record(LedgerSubmission(.sample())) }
        try await age(ledger)
        try await cleaning(ledger, clock, log) {
            #expect(await clock.nextSleep() == .milliseconds(20))
            clock.pass(15_000)
            #expect(await clock.nextSleep() == .milliseconds(20))
            clock.pass(20)
            #expect(await clock.nextSleep() == .seconds(60))
        }
        #expect(ledger.served == [0, 25 * hour, 0, 15_020, 0])
        #expect(try await ledger.prune(servedSince: 25 * hour, limit: 500) == 0)
    }
}
