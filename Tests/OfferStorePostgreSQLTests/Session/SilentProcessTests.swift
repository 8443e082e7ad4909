import CLibPQ
import EligibilityRules
import OfferStore
import OfferStoreSQL
import OfferStoreTesting
import Synchronization
import Testing

@testable import OfferStorePostgreSQL

@Suite("Processes that fall silent while they hold locks", .enabled(if: TestDatabase.isThere))
struct SilentProcessTests {
    @Test(
        "What a silent process holds is free again, and it does nothing when it wakes",
        .disabled(if: SessionSettings.maxIdle > 10_000, "a probe does not wait for so long"))
    func silent() async throws {
        let address = try TestDatabase.newSchema()
        let store = try PostgreSQLStore(address, readers: 1, audit: .testing)
        defer { store.close() }
        let ledger = PostgreSQLLedger(store)
        try await ledger.probe()
        // It holds the gate as a revocation does, another one as a signature does.
        let revoking = try Session(address, patience: .seconds(60))
        let signing = Transaction(try Session(address, patience: .seconds(60)), .latest)
        _ = try signing.run("LOCK TABLE revocation_gate IN ROW SHARE MODE")
        _ = try signing.run("INSERT INTO nonce_range VALUES (77, 78)")
        let revocation = Transaction(revoking, .latest)
        _ = try revocation.run("LOCK TABLE revocation_gate IN EXCLUSIVE MODE")
        try await ledger.probe()
        #expect(throws: PostgreSQLFailure.self) { try signing.commit() }
        #expect(throws: PostgreSQLFailure.self) { try revocation.commit() }
        let rows = try await store.read("look") { try $0.run("SELECT 1 FROM nonce_range WHERE first = 77").count }
        #expect(rows == 0)
    }

    @Test("A gate that is held makes the probe of readiness fail")
    func gate() async throws {
        let address = try TestDatabase.newSchema()
        let store = try PostgreSQLStore(address, readers: 1, audit: .testing)
        defer { store.close() }
        // Idle for as long as a reader may be.
        let holder = Transaction(try Session(address, patience: .seconds(60), isReader: true), .latest)
        _ = try holder.run("LOCK TABLE revocation_gate IN EXCLUSIVE MODE")
        await #expect(throws: StoreError(.locked, "")) { try await PostgreSQLLedger(store).probe() }
        try holder.commit()
        try await PostgreSQLLedger(store).probe()
    }

    @Test(
        "Who is frozen while it sends statements, or while it receives an answer, is cut off by the heartbeats of others",
        arguments: [true, false])
    func inTheMiddle(isSending: Bool) async throws {
        let address = try TestDatabase.newSchema()
        let store = try PostgreSQLStore(address, readers: 1, audit: .testing)
        defer { store.close() }
        // The connection of a process that sends half a round trip, or that reads nothing of an answer.
        let connection = PQconnectdb(address)
        defer { PQfinish(connection) }
        #expect(PQstatus(connection) == CONNECTION_OK && PQenterPipelineMode(connection) == 1)
        let rest = isSending ? [] : ["SELECT repeat('x', 100000000)"]
        for sql in ["BEGIN", "LOCK TABLE revocation_gate IN EXCLUSIVE MODE"] + rest {
            #expect(PQsendQueryParams(connection, sql, 0, nil, nil, nil, nil, 0) == 1)
        }
        if !isSending { #expect(PQpipelineSync(connection) == 1) }
        #expect(PQflush(connection) == 0)
        let replicas = PostgreSQLReplicaStore(store)
        let replica = Replica(
            id: "other", address: "other:1", version: "1", startedAt: .testNow, configurationDigest: "", keys: [], clockOffset: 0)
        let probe = Probe()
        async let probing: Void = probe.run(PostgreSQLLedger(store))
        while !probe.isDone.withLock(\.self) {
            _ = try await replicas.beat(replica)
            try await Task.sleep(for: .milliseconds(200))
        }
        await probing
        #expect(probe.failure.withLock(\.self) == nil)
    }

    /// A probe of readiness that waits for a lock. Each wait ends after some seconds, in which a slow machine may not come so far.
    private final class Probe: Sendable {
        let isDone = Mutex(false)
        let failure = Mutex<StoreError?>(nil)

        func run(_ ledger: PostgreSQLLedger) async {
            for _ in 0..<12 {
                let found: StoreError?
                do throws(StoreError) {
                    try await ledger.probe()
                    found = nil
                } catch { found = error }
                failure.withLock { $0 = found }
                guard found?.code == .locked else { break }
            }
            isDone.withLock { $0 = true }
        }
    }
}
