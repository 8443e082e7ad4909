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
    /// The same file, as another process has it.
    private let other: SQLiteStore
    /// Writes what it receives. Answers whether nothing was committed since its previous transaction.
    private let queue: GroupCommit<String, Bool>

    init() async throws {
        folder = try TemporaryFolder()
        store = try SQLiteStore(path: folder.path("store.sqlite"), audit: .testing)
        other = try SQLiteStore(path: folder.path("store.sqlite"), audit: .testing)
        // Only now: a store with a table of its own is not opened.
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
        let second = Self.queue(store)
        let writes: [@Sendable () async throws -> Void] = [
            { [store] in try await store.write("write") { try $0.execute(sql: "INSERT INTO thing VALUES ('b')") } },
            { [other] in try await other.write("write") { try $0.execute(sql: "DELETE FROM thing") } },
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

    @Test("A commit of another process just after the transaction disturbs, also after one that changed nothing")
    func overtaken() async throws {
        let watch = CommitWatch()
        func run(_ sql: String, overtaken: Bool = false) throws -> Bool {
            try store.pool.writeWithoutTransaction { database in
                let isUndisturbed = try database.inImmediateTransaction { database in
                    let isUndisturbed = try watch.begin(database)
                    try database.execute(sql: sql)
                    return isUndisturbed
                }
                if overtaken { try other.pool.write { try $0.execute(sql: "INSERT INTO thing VALUES ('other')") } }
                watch.commit(database)
                return isUndisturbed
            }
        }
        let insertion = "INSERT INTO thing VALUES ('a')"
        // SQLite counts a change that writes no page.
        for sql in [insertion, "UPDATE thing SET name = name", "SELECT 1"] {
            _ = try run(insertion)
            #expect(try run(sql, overtaken: true))
            #expect(try !run(insertion))
            #expect(try run(insertion))
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

    @Test("After a row of undisturbed batches the ledger sees what another process has revoked, written and copied away")
    func ledger() async throws {
        let (ledger, event) = (SQLiteLedger(store: store), AuditEvent(at: .testNow, actor: "a", action: "b"))
        func record() async throws -> LedgerOutcome {
            try await ledger.record(LedgerSubmission(.sample(), auditEvents: [event]))
        }
        for _ in 0..<3 { #expect(try await record() == .recorded) }
        _ = try await SQLiteLedger(store: other).record(LedgerSubmission(.sample(), auditEvents: [event]))
        for _ in 0..<3 { #expect(try await record() == .recorded) }
        let ids = try await store.read("look") { database in
            try ["signed_request", "audit_event"].map { try Int64.fetchAll(database, sql: "SELECT id FROM \($0) ORDER BY id") }
        }
        #expect(ids == [Array(1...7), Array(1...7)])
        let entry = LedgerEntry.sample()
        try await other.write("revoke") { database in
            try database.execute(
                sql: """
                    INSERT INTO key_decision (key_id, bundle_id, state, decided_at, decided_by, reason) VALUES (?, ?, ?, 1, 'a', '')
                    """, arguments: [entry.keyID, entry.partition.name, KeyDecision.revoked])
        }
        #expect(try await record() != .recorded)
        try await other.write("copy") { try CopiedAway.note("elsewhere", at: .testNow, $0) }
        await #expect(throws: StoreError.self) { try await record() }
        try other.close()
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
