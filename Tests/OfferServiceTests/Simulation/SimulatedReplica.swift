import AppStore
import EligibilityRules
import NIOCore
import OfferSigning
import OfferStore
import OfferStoreTesting

@testable import OfferService

/// A process that issues signatures, with a machine of its own, whose clock may be wrong.
final class SimulatedReplica {
    let machine: ManualClock
    let ledger: UncertainLedger
    let issuer: OfferIssuer
    let clock: SigningClock
    let keys: LaggingKeys
    let lane: StoreLane
    let janitor: LedgerJanitor

    /// Starts it.
    ///
    /// - Parameters:
    ///   - system: the machine's time, and bytes that the simulation chooses.
    ///   - record: what the ledger knows of the clock.
    init(
        _ machine: ManualClock,
        system: SystemEnvironment,
        store: TemporaryStore,
        histories: any HistoryStore,
        keys: SimulatedKeys,
        record: ClockRecord,
        loop: any EventLoop
    ) throws {
        self.machine = machine
        ledger = UncertainLedger(store.ledger)
        self.keys = LaggingKeys(keys)
        clock = SigningClock(system: system, record: record, maxAhead: 720 * 3_600_000)
        let verifier = SignedDataVerifier(roots: .appleRootCAG3) { system.now().milliseconds }
        let intake = HistoryIntake(store: histories, reader: SignedDataReader(verifier: verifier), system: system)
        issuer = OfferIssuer(
            keys: self.keys,
            nonces: NonceDesk(
                seal: NonceSeal(key: try AuthenticationKey(secret: [1, 2, 3]), period: Simulation.noncePeriod), system: system),
            clock: clock, ledger: ledger, histories: HistoryLookup(intake: intake, lapsed: nil),
            observer: IssuerWorkshop.RecordingObserver(), rules: OfferRules(limits: CatalogueLimits()))
        let examination = BoundedExecutor(threads: 1, limit: 1, refusal: IssueError.notReady("full", of: .load))
        lane = StoreLane(eventLoop: loop, ledger: ledger, histories: histories, examination: examination)
        janitor = LedgerJanitor(
            ledger: ledger, histories: histories,
            storagePeriods: RetentionPeriods(ledger: 25 * 3_600_000, notifications: 25 * 3_600_000),
            now: { [clock] in try? clock.now() }, system: system, failures: RecordedLog().makeFailureLog())
    }
}
