import GRDB
import OfferStore
import OfferStoreTesting
import Testing

@testable import OfferStoreSQLite

@Suite("Checkpoints of the log")
struct LogCheckpointsTests {
    private let folder: TemporaryFolder
    private let store: SQLiteStore

    init() throws {
        folder = try TemporaryFolder()
        store = try SQLiteStore(path: folder.path("store.sqlite"), audit: .testing)
    }

    /// Writes so many pages. Returns how many the log had before.
    private func write(pages: Int) async throws -> Int {
        try await store.write("fill") { database in
            let before = try StoreFile(database).logIndex()!.frames
            try database.execute(sql: "CREATE TABLE IF NOT EXISTS filler (content BLOB)")
            try database.execute(sql: "INSERT INTO filler VALUES (zeroblob(?))", arguments: [pages * 4096])
            return Int(before)
        }
    }

    /// Writes so many pages. The transaction after it begins a checkpoint that is due.
    private func fill(pages: Int) async throws {
        _ = try await write(pages: pages)
        _ = try await write(pages: 1)
    }

    /// Whether the next write begins the log anew.
    private func isBegunAnew() async throws -> Bool {
        _ = try await write(pages: 1)
        return try await write(pages: 1) < 1000
    }

    @Test("A long log is copied into the file, and begins anew")
    func long() async throws {
        let observer = Checkpoints()
        store.checkpoints.report(to: observer)
        try await fill(pages: 16_500)
        #expect(await observer.next() == true)
        #expect(try await isBegunAnew())
        try store.close()
    }

    @Test("After a failure of the disk the store fails until a restart, and its log has every row")
    func diskFailure() async throws {
        let path = folder.path("other.sqlite")
        let pool = try DatabasePool(path: path)
        try await pool.write {
            try $0.execute(sql: "CREATE TABLE filler (content BLOB); INSERT INTO filler VALUES (zeroblob(9000000))")
        }
        let files = try await pool.writeWithoutTransaction { try StoreFileGuard(path: path, storeID: 0, $0) }
        let checkpoints = try LogCheckpoints(pool, Configuration(), files) { _ in
            throw DatabaseError(resultCode: .SQLITE_IOERR_FSYNC)
        }
        let observer = Checkpoints()
        checkpoints.report(to: observer)
        #expect(files.failure == nil)
        checkpoints.note(16_000)
        #expect(await observer.next() == false)
        try checkpoints.close()
        #expect(files.failure?.code == .unavailable)
        await #expect(throws: StoreError.self) { try await pool.writeWithoutTransaction { try files.check($0) } }
    }

    private final class Checkpoints: LedgerObserver {
        private let (results, continuation) = AsyncStream<Bool>.makeStream()

        /// Waits for the end of a checkpoint. Returns whether it succeeded.
        func next() async -> Bool? { await results.first { _ in true } }

        func ledgerDidCheckpoint(_ pause: Result<Duration, StoreError>) {
            continuation.yield((try? pause.get()).map { $0 > .zero } ?? false)
        }

        func ledgerDidCommit(submissions: Int, duration: Duration) {}

        func ledgerQueueChanged(depth: Int) {}

        func ledgerDidFail(_ error: StoreError) {}
    }

    @Test("A reader keeps the log from beginning anew, and not for longer than it reads")
    func reader() async throws {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let reader = try DatabaseQueue(path: folder.path("store.sqlite"), configuration: configuration)
        try await reader.writeWithoutTransaction { try $0.execute(sql: "BEGIN; SELECT count(*) FROM access") }
        let observer = Checkpoints()
        store.checkpoints.report(to: observer)
        try await fill(pages: 16_500)
        #expect(await observer.next() == true)
        for _ in 0..<20 { #expect(try await write(pages: 1) > 16_000) }
        try await reader.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
        // The next attempt.
        try await fill(pages: 1_100)
        #expect(await observer.next() == true)
        #expect(try await isBegunAnew())
        try store.close()
    }
}
