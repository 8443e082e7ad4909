import AppStore
import EligibilityRules
import OfferStore
import OfferStoreTesting
import ServiceLifecycle
import Synchronization
import Testing

@testable import OfferService

@Suite("A database that keeps no commit any more", .timeLimit(.minutes(30)))
struct StoreStandingTests {
    /// A ledger whose commits are not kept, like those of a primary that was replaced.
    private final class CutOffLedger: ForwardingLedger {
        let store = TemporaryStore()
        let isCutOff = Atomic(false)

        var ledger: any Ledger { store.ledger }

        func record(_ submissions: [LedgerSubmission], completion: @escaping Completion) {
            guard isCutOff.load(ordering: .relaxed) else { return ledger.record(submissions, completion: completion) }
            completion(.failure(StoreError(.unavailable, "a test")))
        }
    }

    @Test("No customer is assessed from what it still says, until it keeps commits again")
    func cutOff() async throws {
        let clock = ManualClock(1_700_000_000_000)
        let (ledger, log) = (CutOffLedger(), RecordedLog())
        let standing = StoreStanding(system: clock.environment)
        let workshop = try await IssuerWorkshop()
        func ask() async throws { _ = try await workshop.offers(customer: "ann", standing: standing) }
        let watch = StoreWatch(
            signatures: ledger.store.signing.file, histories: ledger.store.purchases.file, commits: (ledger, standing),
            system: clock.environment,
            logger: log.logger)
        try await ServiceGroup.serving(watch) {
            #expect(await clock.nextSleep() == .seconds(1))
            try await ask()
            ledger.isCutOff.store(true, ordering: .relaxed)
            for _ in 0..<15 {
                clock.pass(1000)
                #expect(await clock.nextSleep() == .seconds(1))
                try await ask()
            }
            #expect(log.lines == ["error: the store cannot be written"])
            clock.pass(1000)
            #expect(await clock.nextSleep() == .seconds(1))
            await #expect(throws: StoreError.self) { try await ask() }
            ledger.isCutOff.store(false, ordering: .relaxed)
            clock.pass(1000)
            #expect(await clock.nextSleep() == .seconds(1))
            try await ask()
        }
    }
}
