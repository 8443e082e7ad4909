import AppStore
import EligibilityRules
import Foundation
import NIOEmbedded
import OfferStore
import OfferStoreTesting
import Synchronization
import TestRandomness

@testable import OfferService

/// Replicas on one store, what may go wrong, and what must hold all the same. The same seed gives the same course.
final class Simulation {
    /// The longest that can be configured: nonces are good for up to 24 hours, one less than the shortest retention.
    static let noncePeriod: Int64 = 720 * 60_000
    private static let start: Int64 = 1_800_000_000_000
    private static let hour: Int64 = 3_600_000
    /// The longest time that passes while something waits for the store, in ms.
    private static let patience: Int64 = 60_000
    private static let offers = ["free", "single", "three"]

    private struct Question {
        let customer: String
        let items: [SignatureRequest.Item]
        let key: String?
    }

    private var dice: SplitMix64
    private let bytes: SeededBytes
    private let loop = EmbeddedEventLoop()
    private let store = TemporaryStore()
    private let histories: UnsteadyHistoryStore
    private let keys = SimulatedKeys()
    private let apps: AppDirectory
    private let caller: Caller
    private var replicas: [SimulatedReplica] = []
    /// How far each machine's clock is ahead, in ms.
    private var errors = [Int64](repeating: 0, count: 3)
    private var cleanedAt: Int64 = 0
    /// Nonces that clients may use, used or not.
    private var nonces: [UUID] = []
    private var kept: [Question] = []
    private var course = SimulatedCourse()
    private(set) var time: Int64 = 0

    /// What was broken, in words.
    var violations: [String] { course.violations }
    /// How many requests retention has taken out of the ledger.
    var pruned: Int { course.recorded.count - entries(course.recorded).count }
    /// How often each kind of answer was given.
    var answers: [String: Int] { course.kinds }

    init(seed: UInt64) throws {
        histories = UnsteadyHistoryStore(store.histories)
        dice = SplitMix64(seed: seed)
        bytes = SeededBytes(seed: ~seed)
        let record = AccessRecord(
            id: "caller", secretDigest: [], role: Role.backend.rawValue, apps: nil, note: "",
            lifetime: AccessLifetime(createdAt: Instant(milliseconds: 0)))
        caller = Caller(record, rate: RateState())!
        let limits = ["free": nil, "single": OfferLimits(outstanding: 1), "three": OfferLimits(total: 3)]
        let offers = limits.map { (ExactText($0), SubscriptionOffer(kind: .freeTrial, period: "P1W", limits: $1)) }
        let product = SubscriptionProduct(
            id: "pro", groupID: "1", level: 1, period: "P1M", introductoryOffer: nil,
            promotionalOffers: Dictionary(uniqueKeysWithValues: offers))
        apps = AppDirectory([
            App(
                identity: AppIdentity(bundleID: "com.example.app", appAppleID: nil, environment: .production),
                rules: AppRules(enforcement: .advise, introductoryOverrides: .backend), policy: EligibilityPolicy(),
                catalogue: Catalogue(products: [product]))
        ])
        for _ in errors { replicas.append(try start(ManualClock(Self.start), error: 0)) }
    }

    /// Goes on until so much time has passed, or something is broken.
    func run(hours: Int64) throws {
        while time < hours * Self.hour, violations.isEmpty { try step() }
        for replica in replicas { settleAll(of: replica) }
        course.checkLimits()
    }

    private func step() throws {
        switch dice.below(1000) {
        case ..<400: ask()
        case ..<480: issueNonces()
        case ..<830: settle(dice.any(of: replicas))
        case ..<960: pass()
        case ..<970: replicas[dice.below(3)].keys.refresh()
        case ..<975: try rotate()
        case ..<985: leap()
        case ..<990: try crash(dice.below(3))
        default: try clean()
        }
        loop.run()
        for replica in replicas {
            if let now = try? replica.clock.now() { course.note(clockAheadBy: now.milliseconds - Self.start - time) }
        }
    }

    // What clients do

    private func ask() {
        let isRepeated = !kept.isEmpty && dice.once(in: 10)
        let question = isRepeated ? dice.any(of: kept) : makeQuestion()
        if question.key != nil, !isRepeated { keep(question, in: &kept, 60) }
        let replica = dice.any(of: replicas)
        guard let app = try? apps.app(named: nil, for: caller) else { return }
        let request = SignatureRequest(
            customer: CustomerReference(customerID: question.customer), applicationUsername: question.customer, form: .payload,
            items: question.items)
        let (identity, asked) = ("\(question)", time)
        replica.issuer.issue(
            request, of: app, for: caller, from: Supplier(caller, requestID: "simulated", address: nil),
            idempotency: question.key.map { Idempotency(key: $0, request: Array(identity.utf8)) }, lane: replica.lane,
            render: { SimulatedCourse.render($0) },
            reply: { [self] result in
                // Of a process that is no more nothing arrives.
                guard replicas.contains(where: { $0 === replica }) else { return }
                switch result {
                case .success(let issuance):
                    course.note(issuance, key: question.key, askedAt: asked, at: time, isRecorded: isRecorded)
                case .failure(let error): course.note(error)
                }
            })
    }

    private func makeQuestion() -> Question {
        let items = (0...dice.below(3)).map { _ in
            SignatureRequest.Item(
                productID: "pro", purpose: .promotionalOffer(offerID: dice.any(of: Self.offers)),
                nonce: nonces.isEmpty || dice.once(in: 3) ? nil : dice.any(of: nonces))
        }
        let key = dice.once(in: 4) ? "key-\(dice.next())" : nil
        return Question(customer: "customer-\(dice.below(6))", items: items, key: key)
    }

    private func issueNonces() {
        let replica = dice.any(of: replicas)
        guard let app = try? apps.app(named: nil, for: caller), let now = try? replica.clock.now(),
            let nonce = try? replica.issuer.nonces.issue(app: app, caller: caller, now: now).nonce
        else { return }
        keep(nonce, in: &nonces, 200)
    }

    private func entries(_ nonces: [UUID]) -> [LedgerEntry] {
        (try? inTurn { [ledger = store.ledger] () async throws(StoreError) in try await ledger.entries(of: nonces) }) ?? []
    }

    private func isRecorded(_ nonce: UUID) -> Bool { !entries([nonce]).isEmpty }

    /// Keeps so many; one of those before makes room, old ones as likely as young ones.
    private func keep<Value>(_ value: Value, in values: inout [Value], _ count: Int) {
        if values.count < count { values.append(value) } else { values[dice.below(count)] = value }
    }

    // What goes wrong

    private func settle(_ replica: SimulatedReplica) {
        guard replica.ledger.count > 0 else { return }
        let fate = dice.once(in: 8) ? dice.any(of: UncertainLedger.Fate.allCases) : .written
        settle(replica.ledger, dice.below(replica.ledger.count), fate)
    }

    private func settle(_ ledger: UncertainLedger, _ index: Int, _ fate: UncertainLedger.Fate) {
        let nonces = ledger.settle(index, fate)
        course.note(entries(nonces), keys.revoked, at: Instant(milliseconds: Self.start + time))
    }

    private func settleAll(of replica: SimulatedReplica) {
        while replica.ledger.count > 0 {
            settle(replica.ledger, 0, .written)
            loop.run()
        }
    }

    private func pass() {
        let longest =
            switch dice.below(1000) {
            case ..<800: 2_000
            case ..<890: 60_000
            case ..<995: 1_200_000
            default: 5 * Int(Self.hour)
            }
        let milliseconds = Int64(dice.below(longest))
        // Nothing waits for the store for hours.
        if milliseconds > Self.patience { for replica in replicas { settleAll(of: replica) } }
        time += milliseconds
        for (replica, error) in zip(replicas, errors) {
            replica.machine.pass(milliseconds)
            // A heartbeat tells how far a clock is off the store's.
            replica.clock.take(offset: error)
            _ = try? replica.clock.now()
        }
    }

    /// A clock is set wrong, or, more often, right again.
    private func leap() {
        let index = errors.indices.filter { errors[$0] != 0 }.first ?? dice.below(20)
        guard index < errors.count else { return }
        let change = errors[index] == 0 ? Int64(dice.below(6 * Int(Self.hour))) - 3 * Self.hour : -errors[index]
        errors[index] += change
        replicas[index].machine.leap(change)
    }

    /// A process ends, with what it waits for, and another one starts on the same machine.
    private func crash(_ index: Int) throws {
        let ledger = replicas[index].ledger
        let machine = replicas[index].machine
        replicas[index] = try start(machine, error: errors[index])
        while ledger.count > 0 { settle(ledger, 0, dice.once(in: 2) ? .written : .lost) }
    }

    private func start(_ machine: ManualClock, error: Int64) throws -> SimulatedReplica {
        let system = SystemEnvironment(
            now: { machine.now }, uptime: { machine.uptime.load(ordering: .relaxed) }, sleep: { _ in },
            randomBytes: { [bytes] in bytes.next($0) })
        let record = try inTurn { [clock = store.processes.clock] () async throws(StoreError) in try await clock.clockRecord() }
        let replica = try SimulatedReplica(
            machine, system: system, store: store, histories: histories, keys: keys, record: record, loop: loop)
        // As a start does.
        replica.clock.take(offset: error)
        _ = try? replica.clock.now()
        return replica
    }

    /// Has another key sign, and revokes the one that did.
    private func rotate() throws {
        let (id, last) = (keys.activeID, keys.revoked.count)
        let decision = KeyDecision(
            keyID: id, bundleID: "com.example.app", state: "revoked", decidedAt: Instant(milliseconds: Self.start + time),
            decidedBy: "t", reason: "")
        keys.rotate()
        _ = try inTurn { [store = store.credentials.keys] () async throws(StoreError) in
            try await store.add([decision], after: last)
        }
    }

    /// Retention, by the one replica whose turn it is.
    private func clean() throws {
        let (replica, served) = (dice.any(of: replicas), time - cleanedAt)
        cleanedAt = time
        _ = try inTurn { [janitor = replica.janitor] () async throws(StoreError) in await janitor.cleanOnce(served: served) }
    }
}
