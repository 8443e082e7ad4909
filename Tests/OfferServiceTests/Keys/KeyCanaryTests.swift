import EligibilityRules
import OfferStore
import OfferStoreTesting
import ServiceLifecycle
import Synchronization
import Testing

@testable import OfferService
@testable import OfferSigning

@Suite("Canary of the signing keys", .timeLimit(.minutes(30)))
struct KeyCanaryTests {
    private static let apps = ["a", "b"]

    private let workshop: IssuerWorkshop
    private let folder: Folder
    private let holder: CurrentKeyRing
    private let canary: KeyCanary
    private let store = TemporaryStore()
    private let clock = ManualClock(1_700_000_000_000)
    private let log = RecordedLog()

    init() async throws {
        workshop = try await IssuerWorkshop()
        folder = Folder(try KeyRing(entries: [.init(key: workshop.key, state: .active, apps: nil)], bundleIDs: Self.apps))
        holder = CurrentKeyRing(
            LoadedKeys(ring: folder.ring), store: store.credentials.keys, changes: store.processes.changes,
            system: clock.environment,
            folder: CurrentKeyRing.Folder { [folder] _ in LoadedKeys(ring: folder.ring) })
        canary = KeyCanary(keys: holder, system: clock.environment, failures: log.makeFailureLog())
    }

    /// Has the service load these keys.
    private func load(_ entries: [KeyRing.Entry], revision: Int64 = 1) async throws {
        folder.ring = try KeyRing(entries: entries, bundleIDs: Self.apps)
        try await holder.follow(revision)
    }

    @Test("Every key is tested at the start and each minute, and it is known when that was")
    func rounds() async throws {
        #expect(canary.finding(workshop.key.id) == nil)
        let start = clock.now
        try await ServiceGroup.serving(canary) {
            for round in 0..<3 as Range<Int64> {
                #expect(await clock.nextSleep() == .seconds(60))
                #expect(canary.finding(workshop.key.id) == .verified(at: start.advanced(by: round * 60_000)))
                clock.pass(60_000)
            }
            #expect(await clock.nextSleep() == .seconds(60))
        }
        #expect(log.lines == [])
    }

    @Test("A key that stops signing is reported once, however often it is tested, and is found again when it signs again")
    func failure() async throws {
        let signer = Elsewhere(workshop.key)
        let key = SigningKey(id: "ELSEWHERE1", publicKey: workshop.key.handle, signer: signer)
        try await load([.init(key: key, state: .active, apps: nil)])
        canary.testOnce()
        #expect(canary.finding(key.id) == .verified(at: clock.now))
        signer.outage = SigningError(.moduleUnavailable, "the cable was pulled")
        for _ in 0..<3 {
            clock.pass(60_000)
            canary.testOnce()
            guard case .failed(clock.now, let reason) = canary.finding(key.id) else {
                Issue.record("a key that signs nothing was found good")
                return
            }
            #expect(reason.contains("the cable was pulled"))
        }
        #expect(log.lines == ["error: a signing key fails its test"])
        #expect(log.failures == Array(repeating: "key-module-unavailable", count: 3))
        signer.outage = nil
        canary.testOnce()
        #expect(canary.finding(key.id) == .verified(at: clock.now))
    }

    @Test("A key that is revoked everywhere is not tested; one that an app still has is")
    func revoked() async throws {
        try await load([.init(key: workshop.key, state: .active, apps: nil, decided: ["a": .revoked, "b": .revoked])])
        canary.testOnce()
        #expect(canary.finding(workshop.key.id) == nil)
        try await load([.init(key: workshop.key, state: .staged, apps: nil, decided: ["a": .revoked])], revision: 2)
        canary.testOnce()
        #expect(canary.finding(workshop.key.id) == .verified(at: clock.now))
    }

    @Test("Of a key that has left the folder nothing is known any more")
    func forgotten() async throws {
        canary.testOnce()
        #expect(canary.finding(workshop.key.id) != nil)
        try await load([])
        canary.testOnce()
        #expect(canary.finding(workshop.key.id) == nil)
    }

    /// What a test has put into the key folder.
    private final class Folder: Sendable {
        private let state: Mutex<KeyRing>

        init(_ ring: KeyRing) { state = Mutex(ring) }

        var ring: KeyRing {
            get { state.withLock { $0 } }
            set { state.withLock { $0 = newValue } }
        }
    }

    /// A module that a test pulls out.
    private final class Elsewhere: RemoteSigner {
        private let key: SigningKey
        private let state = Mutex<SigningError?>(nil)

        init(_ key: SigningKey) { self.key = key }

        var outage: SigningError? {
            get { state.withLock { $0 } }
            set { state.withLock { $0 = newValue } }
        }

        func sign(_ messages: [[UInt8]], completion: @escaping Completion) throws(SigningError) {
            try key.sign(messages, completion: completion)
        }
    }
}
