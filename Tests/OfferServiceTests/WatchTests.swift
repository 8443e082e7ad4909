import AppStore
import EligibilityRules
import OfferStore
import OfferStoreTesting
import ServiceLifecycle
import Synchronization
import Testing

@testable import OfferService

@Suite("Watches", .timeLimit(.minutes(30)))
struct WatchTests {
    private let workshop: HistoryWorkshop
    private let clock: ManualClock
    private let log: RecordedLog

    init() throws {
        workshop = try HistoryWorkshop()
        (clock, log) = (workshop.clock, workshop.log)
    }

    /// One more round of the service that runs, and what it has told in it.
    private func round(every interval: Duration) async -> [String] {
        let before = log.lines.count
        clock.pass(Int64(interval / .milliseconds(1)))
        #expect(await clock.nextSleep() == interval)
        return Array(log.lines.dropFirst(before))
    }

    @Test("Groups that another process has seen are taken over within an interval, and differences told of once")
    func groups() async throws {
        func purchase(_ id: String, group: String) async throws {
            let chain = try workshop.reader.transaction(
                workshop.transaction(id, ["subscriptionGroupIdentifier": "\"\(group)\""]), for: workshop.app.identity)
            _ = try await workshop.histories.apply(.sample([chain], at: clock.now))
            clock.leap(1)
        }
        let watch = GroupWatch(
            apps: workshop.apps, histories: workshop.histories, observer: workshop.observer, interval: .seconds(30),
            system: clock.environment, failures: workshop.failures)
        try await ServiceGroup.serving(watch) {
            #expect(await clock.nextSleep() == .seconds(30))
            #expect(workshop.observer.words == [])
            try await purchase("1000", group: "7")
            workshop.histories.isAway = true
            #expect(await round(every: .seconds(30)) == ["error: the subscription groups in the store could not be read"])
            #expect(workshop.observer.words == [])
            workshop.histories.isAway = false
            for _ in 0..<2 { #expect(await round(every: .seconds(30)) == []) }
            #expect(workshop.observer.words == ["pro is in 7"])
        }
        #expect(log.failures == ["store-unavailable"])
    }

    @Test("What happens to a file of the store is reported once, for each file by itself, and so is its end")
    func store() async throws {
        let (signatures, histories) = (UnsteadyFile(), UnsteadyFile())
        let watch = StoreWatch(
            signatures: signatures, histories: histories, system: clock.environment, logger: log.logger)
        let (reported, over) = ("error: the store cannot be written", "notice: the store can be written again")
        try await ServiceGroup.serving(watch) {
            #expect(await clock.nextSleep() == .seconds(1))
            #expect(log.lines == [])
            signatures.fault = "gone"
            #expect(await round(every: .seconds(1)) == [reported])
            #expect(await round(every: .seconds(1)) == [])
            histories.fault = "gone"
            #expect(await round(every: .seconds(1)) == [reported])
            signatures.fault = "replaced"
            #expect(await round(every: .seconds(1)) == [reported])
            signatures.fault = nil
            #expect(await round(every: .seconds(1)) == [over])
            histories.fault = nil
            #expect(await round(every: .seconds(1)) == [over])
            #expect(await round(every: .seconds(1)) == [])
        }
    }

    @Test("A clock that leaps is reported once, until it is right again or an operator says that it is")
    func clockWatch() async throws {
        let stores = TemporaryStore()
        defer { withExtendedLifetime(stores) {} }
        let store = stores.processes.clock
        let signing = SigningClock(system: clock.environment, record: try await store.clockRecord(), maxAhead: 3_600_000)
        let watch = ClockWatch(clock: signing, store: store, system: clock.environment, logger: log.logger)
        let (reported, over) = ("error: nothing is signed: the clock cannot be trusted", "notice: the clock is trusted again")
        try await ServiceGroup.serving(watch) {
            #expect(await clock.nextSleep() == .seconds(1))
            clock.leap(3_600_000)
            #expect(await round(every: .seconds(1)) == [reported])
            #expect(await round(every: .seconds(1)) == [])
            clock.leap(-3_600_000)
            #expect(await round(every: .seconds(1)) == [over])
            clock.leap(-3_600_000)
            #expect(await round(every: .seconds(1)) == [reported])
            try await store.accept(clock.now)
            // One look takes his word, the next finds the clock right.
            #expect(await round(every: .seconds(1)) == [])
            #expect(await round(every: .seconds(1)) == [over])
            #expect(throws: Never.self) { try signing.now() }
        }
    }

    /// A file that a test makes unfit.
    private final class UnsteadyFile: StoredFile {
        private let state = Mutex<String?>(nil)

        var fault: String? {
            get { state.withLock { $0 } }
            set { state.withLock { $0 = newValue } }
        }

        func look() async throws(StoreError) {
            if let fault { throw StoreError(.unavailable, fault) }
        }

        func checkIntact() throws(StoreError) {}

        func close() throws(StoreError) {}
    }
}
