import Dispatch
import GRDB
import OfferStore
import OfferStoreSQL
import OfferStoreTesting
import Synchronization
import Testing

@testable import OfferStoreSQLite

@Suite("Lanes of reads", .timeLimit(.minutes(30)))
struct ReadLaneTests {
    @Test("A lane runs as many reads at a time as it has connections, and all reads get their turn")
    func turns() async throws {
        let folder = try TemporaryFolder()
        try await DatabaseQueue(path: folder.path("file")).write { try $0.execute(sql: "CREATE TABLE t (n)") }
        let (lane, reads) = (ReadLane(path: folder.path("file"), Configuration(), count: 2), Reads())
        await withTaskGroup(of: Void.self) { group in
            for _ in 1...50 {
                group.addTask {
                    let result = await lane.run { database in
                        reads.begin()
                        defer { reads.end() }
                        return try Int.fetchOne(database, sql: "SELECT count(*) FROM t")
                    }
                    #expect((try? result.get()) == 0)
                }
            }
        }
        #expect(reads.highest <= 2 && reads.current == 0 && reads.total == 50)
        lane.close()
        await #expect(throws: StoreError.self) { try await lane.run { _ in }.get() }
    }

    @Test("A connection that cannot be opened fails the read, and is tried again for the next")
    func opening() async throws {
        let folder = try TemporaryFolder()
        let lane = ReadLane(path: folder.path("file"), Configuration(), count: 1)
        await #expect(throws: DatabaseError.self) { try await lane.run { _ in }.get() }
        try await DatabaseQueue(path: folder.path("file")).write { try $0.execute(sql: "CREATE TABLE t (n)") }
        try await lane.run { _ in }.get()
        lane.close()
    }

    @Test("What is urgent waits for no look-up and no scan, and a look-up for no scan, however many there are")
    func lanes() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder.path("store.sqlite"), audit: .testing)
        let (keys, ledger) = (SQLKeyStore(store), SQLiteLedger(store: store))
        let (scansGoOn, lookUpsGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let scans = (1...10).map { _ in Task { try await store.scan("scan") { _ in scansGoOn.wait() } } }
        #expect(try await ledger.latestInstant() == nil)
        let lookUps = (1...10).map { _ in Task { try await store.read("look up") { _ in lookUpsGoOn.wait() } } }
        #expect(try await keys.keyDecisions().all.isEmpty)
        #expect(try await SQLAccessStore(store).accessRecords() == [])
        #expect(try await SQLChangeFeed(store).revisions().isEmpty == false)
        let event = AuditEvent(at: .testNow, actor: "a", action: "key.revoke", object: .none)
        let decision = KeyDecision(
            keyID: "KEY", bundleID: "app", state: "revoked", decidedAt: .testNow, decidedBy: "a", reason: "")
        #expect(try await keys.add([decision], after: 0, audit: [event]))
        for _ in scans { scansGoOn.signal() }
        for _ in lookUps { lookUpsGoOn.signal() }
        for task in scans + lookUps { try await task.value }
        try store.close()
    }

    private final class Reads: Sendable {
        private let state = Mutex((current: 0, highest: 0, total: 0))

        var current: Int { state.withLock { $0.current } }
        var highest: Int { state.withLock { $0.highest } }
        var total: Int { state.withLock { $0.total } }

        func begin() {
            state.withLock { state in
                state.current += 1
                state.total += 1
                state.highest = max(state.highest, state.current)
            }
        }

        func end() { state.withLock { $0.current -= 1 } }
    }
}
