import EligibilityRules
import GRDB
import OfferStore
import OfferStoreTesting
import Testing

@testable import OfferStoreSQLite

@Suite("A watch of commits")
struct CommitWatchTests {
    private struct Planned: Error {}

    private let folder: TemporaryFolder
    private let store: SQLiteStore
    /// Writes what it receives. Answers whether nothing was committed since its previous transaction.
    private let queue: GroupCommit<String, Bool>

    init() async throws {
        folder = try TemporaryFolder()
        store = try SQLiteStore(path: folder.path("store.sqlite"), audit: .testing)
        try await store.write("prepare") { try $0.execute(sql: "CREATE TABLE thing (name TEXT)") }
        queue = Self.queue(store)
    }

    private static func queue(_ store: SQLiteStore) -> GroupCommit<String, Bool> {
        store.groupCommit("write", maxPerBatch: 1) { jobs, database, isUndisturbed in
            for name in jobs.joined() {
                if name.isEmpty { throw Planned() }
                if name != "nothing" { try database.execute(sql: "INSERT INTO thing VALUES (?)", arguments: [name]) }
            }
            return jobs.map { $0.map { _ in isUndisturbed } }
        }
    }

    private static func isUndisturbed(_ queue: GroupCommit<String, Bool>, _ name: String = "a") async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
            queue.submit([name]) { continuation.resume(with: $0.map { $0[0] }) }
        }
    }

    private func isUndisturbed(_ name: String = "a") async throws -> Bool { try await Self.isUndisturbed(queue, name) }

    @Test("Only transactions of the same queue in a row are undisturbed, and not across a restart of the log")
    func row() async throws {
        #expect(try await !isUndisturbed())
        for _ in 0..<3 { #expect(try await isUndisturbed()) }
        try await store.pool.writeWithoutTransaction { _ = try $0.checkpoint(.passive) }
        #expect(try await isUndisturbed())
        // The log has restarted in that transaction.
        #expect(try await !isUndisturbed())
        #expect(try await isUndisturbed())
    }

    @Test("Writes of this process, of another connection and of another queue disturb")
    func others() async throws {
        let (other, second) = (try SQLiteStore(path: folder.path("store.sqlite"), audit: .testing), Self.queue(store))
        let writes: [@Sendable () async throws -> Void] = [
            { [store] in try await store.write("write") { try $0.execute(sql: "INSERT INTO thing VALUES ('b')") } },
            { try await other.write("write") { try $0.execute(sql: "DELETE FROM thing") } },
            { _ = try await Self.isUndisturbed(second) },
        ]
        _ = try await isUndisturbed()
        for write in writes {
            #expect(try await isUndisturbed())
            try await write()
            #expect(try await !isUndisturbed())
        }
        try other.close()
    }

    @Test("After a failure, and after a transaction that changed nothing, everything is read again")
    func failure() async throws {
        _ = try await isUndisturbed()
        await #expect(throws: StoreError.self) { try await isUndisturbed("") }
        #expect(try await !isUndisturbed())
        #expect(try await isUndisturbed("nothing"))
        #expect(try await !isUndisturbed())
    }

    @Test("A write that fails leaves no gap in the audit log's numbers")
    func numbers() async throws {
        let (ledger, event) = (SQLiteLedger(store: store), AuditEvent(at: .testNow, actor: "a", action: "b"))
        for _ in 0..<2 { _ = try await ledger.record(LedgerSubmission(nil, auditEvents: [event])) }
        await #expect(throws: StoreError.self) {
            try await store.write("fail") { [store] database in
                try store.audit!.insert([event, event], database)
                throw Planned()
            }
        }
        for _ in 0..<2 { _ = try await ledger.record(LedgerSubmission(nil, auditEvents: [event])) }
        let ids = try await store.read("look") { try Int64.fetchAll($0, sql: "SELECT id FROM audit_event ORDER BY id") }
        #expect(ids == [1, 2, 3, 4])
    }
}
