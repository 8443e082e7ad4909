import EligibilityRules
import Logging
import OfferSigning
import OfferStore
import OfferStoreTesting
import Synchronization
import Testing

@testable import OfferService

@Suite("Change feed")
struct ChangeWatchTests {
    /// What a feed says and what followers made of it.
    private final class Scene: ChangeFeed {
        private let state = Mutex((revisions: [ChangeTopic: Int64](), looks: 0, isAway: false, reported: [String]()))

        var looks: Int { state.withLock(\.looks) }
        var reported: [String] { state.withLock(\.reported) }

        func say(_ revisions: [ChangeTopic: Int64], isAway: Bool = false) {
            state.withLock { ($0.revisions, $0.isAway) = (revisions, isAway) }
        }

        func record(_ word: String) { state.withLock { $0.reported.append(word) } }

        func revisions() async throws(StoreError) -> [ChangeTopic: Int64] {
            let (revisions, isAway) = state.withLock { state in
                state.looks += 1
                return (state.revisions, state.isAway)
            }
            guard !isAway else { throw StoreError(.unavailable, "away") }
            return revisions
        }
    }

    private struct Follower: ChangeFollower {
        let topic: ChangeTopic
        let scene: Scene
        var isBroken = false

        var complaint: String { "\(topic) is broken" }

        func follow(_ revision: Int64) async throws {
            scene.record("\(topic) \(revision)")
            if isBroken { throw StoreError(.damaged, "broken") }
        }
    }

    private let scene = Scene()

    private func watch(_ followers: any ChangeFollower..., system: SystemEnvironment = .live) -> ChangeWatch {
        let failures = FailureLog(logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })) { [scene] in
            scene.record($0.code)
        }
        return ChangeWatch(feed: scene, followers: followers, system: system, failures: failures)
    }

    @Test("One look serves all, each hears of its own topic, and of what has not changed as 0")
    func oneLook() async throws {
        let watch = watch(Follower(topic: .access, scene: scene), Follower(topic: .keys, scene: scene))
        scene.say([.access: 7])
        try await watch.lookOnce()
        #expect(scene.looks == 1)
        #expect(scene.reported == ["access 7", "keys 0"])
    }

    @Test("A follower that fails is logged, and keeps no other from following")
    func broken() async throws {
        let watch = watch(
            Follower(topic: .access, scene: scene, isBroken: true), Follower(topic: .keys, scene: scene))
        scene.say([.access: 1, .keys: 2])
        try await watch.lookOnce()
        #expect(scene.reported == ["access 1", "store-damaged", "keys 2"])
    }

    @Test("While the feed is away no follower follows, and the next look goes on")
    func away() async throws {
        let watch = watch(Follower(topic: .keys, scene: scene))
        scene.say([.keys: 1], isAway: true)
        await #expect(throws: StoreError.self) { try await watch.lookOnce() }
        scene.say([.keys: 2])
        try await watch.lookOnce()
        #expect(scene.reported == ["store-unavailable", "keys 2"])
    }

    @Test("Who missed looks for more than a second looks before anything is read from memory, and reads nothing where that fails")
    func late() async throws {
        let clock = ManualClock(0)
        let watch = watch(Follower(topic: .access, scene: scene), system: clock.environment)
        clock.pass(1000)
        try await watch.catchUp()
        #expect(scene.looks == 0)
        clock.pass(1)
        scene.say([.access: 1], isAway: true)
        await #expect(throws: StoreError(.unavailable, "")) { try await watch.catchUp() }
        #expect(!watch.isCurrent)
        scene.say([.access: 2])
        try await watch.catchUp()
        #expect(watch.isCurrent && scene.reported == ["store-unavailable", "access 2"])
    }

    @Test("The keys are read again when they have changed; where that fails, only what was revoked signs no more")
    func keys() async throws {
        let workshop = try await IssuerWorkshop()
        let signing = TemporaryStore()
        defer { withExtendedLifetime(signing) {} }
        let store = signing.credentials.keys
        let fails = Mutex(true)
        let apps = ["com.example.app", "com.example.other"]
        let ring = try KeyRing(entries: workshop.ring.entries, bundleIDs: apps)
        let holder = CurrentKeyRing(
            LoadedKeys(ring: ring), store: store, changes: signing.processes.changes, system: .live,
            folder: CurrentKeyRing.Folder { _ in
                guard !fails.withLock({ $0 }) else { throw SigningError(.fileUnreadable, "") }
                return LoadedKeys(ring: try KeyRing(entries: [], bundleIDs: apps))
            })
        func isActive() -> [Bool] { apps.map { holder.current.active(for: $0) != nil } }
        // Of this revision already: nothing is read.
        try await holder.follow(0)
        func decision(_ state: String, in app: String) -> KeyDecision {
            KeyDecision(
                keyID: workshop.key.id, bundleID: app, state: state, decidedAt: Instant(milliseconds: 0), decidedBy: "t",
                reason: "")
        }
        #expect(try await store.add([decision("revoked", in: apps[0]), decision("retiring", in: apps[1])], after: 0))
        await #expect(throws: SigningError.self) { try await holder.follow(1) }
        #expect(isActive() == [false, true])
        #expect(!holder.isGood(workshop.key.id, for: apps[0]) && holder.isGood(workshop.key.id, for: apps[1]))
        fails.withLock { $0 = false }
        try await holder.follow(1)
        #expect(isActive() == [false, false])
        try await holder.follow(1)
    }
}
