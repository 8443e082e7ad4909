import EligibilityRules
import OfferSigning
import OfferStore
import OfferStoreTesting
import Testing

@testable import OfferService

@Suite("Heartbeats of replicas")
struct ReplicaWatchTests {
    private let time = ManualClock(1_700_000_000_000)
    /// The store's own clock.
    private let storeTime = ManualClock(1_700_000_000_000)
    private let store: RecordedReplicas
    private let signing = TemporaryStore()
    private let workshop: IssuerWorkshop
    private let log = RecordedLog()

    init() async throws {
        let storeTime = storeTime
        store = RecordedReplicas { storeTime.now }
        workshop = try await IssuerWorkshop()
    }

    private struct Process {
        let watch: ReplicaWatch
        let clock: SigningClock
        let count: ReplicaCount
    }

    private func process(_ id: String, configuration: String = "c") -> Process {
        let system = time.environment
        let clock = SigningClock(system: system, record: ClockRecord(), maxAhead: 3_600_000)
        let keys = CurrentKeyRing(
            LoadedKeys(ring: workshop.ring), store: signing.credentials.keys, changes: signing.processes.changes, system: system,
            folder: CurrentKeyRing.Folder { [ring = workshop.ring] _ in LoadedKeys(ring: ring) })
        let count = ReplicaCount()
        let own = Replica(
            id: id, address: "\(id):8080", version: "1", startedAt: time.now, configurationDigest: configuration, keys: [],
            clockOffset: nil)
        let watch = ReplicaWatch(
            { own }, store: store, keys: keys, clock: clock, count: count, system: system, failures: log.makeFailureLog(),
            logger: log.logger)
        return Process(watch: watch, clock: clock, count: count)
    }

    private func pass(_ milliseconds: Int64) {
        time.pass(milliseconds)
        storeTime.pass(milliseconds)
    }

    @Test("Rates are divided by those that live")
    func count() async {
        let (one, other) = (process("a"), process("b"))
        await one.watch.beat()
        #expect(one.count.value == 1)
        await other.watch.beat()
        await one.watch.beat()
        #expect(one.count.value == 2 && other.count.value == 2)
        pass(ReplicaRoll.lifetime)
        await one.watch.beat()
        #expect(one.count.value == 1)
        #expect(one.watch.comparisons.map(\.isAlive) == [true, false])
        #expect(log.lines == ["warning: a replica sends no heartbeat any more"])
    }

    @Test("A difference is reported once")
    func difference() async {
        let (one, other) = (process("a"), process("b", configuration: "d"))
        await one.watch.beat()
        await other.watch.beat()
        for _ in 0..<3 { await one.watch.beat() }
        let reported = log.lines.filter { $0 == "warning: a replica differs from the others" }
        // Each of the two tells of both.
        #expect(reported.count == 4)
    }

    @Test("A clock that is off the store's signs nothing until it is right", arguments: [6000, -6000] as [Int64])
    func clock(_ offset: Int64) async throws {
        let one = process("a")
        await one.watch.beat()
        _ = try one.clock.now()
        storeTime.leap(-offset)
        // The clock is believed for a second.
        pass(2000)
        await one.watch.beat()
        let error = #expect(throws: IssueError.self) { try one.clock.now() }
        #expect(error?.reason.contains("the database's") == true)
        // What was measured is in the next heartbeat.
        await one.watch.beat()
        #expect(one.watch.comparisons.map(\.clockOffset) == [offset] && one.watch.comparisons[0].differences == [.clock])
        storeTime.leap(offset)
        await one.watch.beat()
        _ = try one.clock.now()
    }

    @Test("How long the store takes to answer says nothing of its clock")
    func latency() {
        let (sent, received) = (Instant(milliseconds: 1000), Instant(milliseconds: 9000))
        let offset = { (time: Int64) in ReplicaWatch.offset(of: Instant(milliseconds: time), between: sent, and: received) }
        #expect(offset(1000) == 0 && offset(5000) == 0 && offset(9000) == 0)
        #expect(offset(900) == 100 && offset(9100) == -100)
    }
}
