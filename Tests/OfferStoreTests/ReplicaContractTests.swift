import EligibilityRules
import OfferStore
import OfferStorePostgreSQL
import OfferStoreTesting
import Testing

@Suite("Replica contract", .enabled(if: TestDatabase.isThere))
struct ReplicaContractTests {
    /// Only PostgreSQL has replicas: a file has one process.
    private static func make(now: @escaping @Sendable () -> Instant) throws -> any ReplicaStore {
        PostgreSQLReplicaStore(try PostgreSQLStore(TestDatabase.newSchema(), readers: 1), now: now)
    }

    private static let keys = [Replica.Key(id: "A", fingerprint: "aa"), Replica.Key(id: "B", fingerprint: "bb")]

    private func replica(_ id: String, at address: String? = nil, keys: [Replica.Key] = [], clockOffset: Int64? = nil) -> Replica
    {
        Replica(
            id: id, address: address ?? "host-\(id):8080", version: "1", startedAt: .testNow, configurationDigest: "sha256:0",
            keys: keys, clockOffset: clockOffset)
    }

    @Test("All know of each other what each said last")
    func roll() async throws {
        let clock = Elapsed()
        let store = try Self.make(now: clock.now)
        #expect(try await store.roll() == ReplicaRoll(now: .testNow, entries: []))
        #expect(try await store.beat(replica("a")).living == [replica("a")])
        clock.pass(1000)
        let reported = replica("b", keys: Self.keys, clockOffset: -12)
        #expect(try await store.beat(reported).living == [replica("a"), reported])
        #expect(try await store.beat(replica("a", keys: Self.keys)).living == [replica("a", keys: Self.keys), reported])
        let roll = try await store.roll()
        #expect(roll.now == clock.now() && roll.entries.map(\.lastHeartbeatAt) == [clock.now(), clock.now()])
    }

    @Test("Who was silent for ten seconds is dead, and is remembered for a day")
    func silence() async throws {
        let clock = Elapsed()
        let store = try Self.make(now: clock.now)
        _ = try await store.beat(replica("a"))
        clock.pass(ReplicaRoll.lifetime - 1)
        #expect(try await store.beat(replica("b")).living.map(\.id) == ["a", "b"])
        clock.pass(1)
        let roll = try await store.beat(replica("b"))
        #expect(roll.living.map(\.id) == ["b"] && roll.entries.map(\.replica.id) == ["a", "b"])
        clock.pass(ReplicaRoll.memory)
        #expect(try await store.beat(replica("b")).entries.map(\.replica.id) == ["b"])
    }

    @Test("Who ends, or starts again where it died, is gone")
    func leaving() async throws {
        let clock = Elapsed()
        let store = try Self.make(now: clock.now)
        _ = try await store.beat(replica("a", at: "one:8080"))
        _ = try await store.beat(replica("b", at: "two:8080"))
        try await store.leave("b")
        try await store.leave("b")
        // It may have been replaced before it knew that it was dead.
        #expect(try await store.beat(replica("c", at: "one:8080")).entries.map(\.replica.id) == ["a", "c"])
        clock.pass(ReplicaRoll.lifetime)
        #expect(try await store.beat(replica("c", at: "one:8080")).entries.map(\.replica.id) == ["c"])
    }
}
