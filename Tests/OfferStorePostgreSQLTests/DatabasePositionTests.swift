import EligibilityRules
import Foundation
import OfferStore
import OfferStoreSQL
import OfferStoreTesting
import Testing

@testable import OfferStorePostgreSQL

@Suite("What a replica knows of how far the database has come", .enabled(if: TestDatabase.isThere))
struct DatabasePositionTests {
    private let folder: TemporaryFolder
    private let address: String
    private let name = "position_" + UUID().uuidString.prefix(8)
    private var file: String { folder.path("position") }

    init() throws {
        (folder, address) = (try TemporaryFolder(), try TestDatabase.newSchema())
    }

    private func store(_ file: String? = nil, accepting acceptance: StoreAcceptance = .current) throws -> PostgreSQLStore {
        try PostgreSQLStore(
            "\(address) application_name=\(name)", readers: 1, audit: .testing, positionFile: file ?? self.file,
            accepting: acceptance)
    }

    private func sign(_ store: PostgreSQLStore) async throws {
        #expect(try await PostgreSQLLedger(store).record(LedgerSubmission(.sample())) == .recorded)
    }

    private func change(_ statements: String...) throws {
        let thread = SessionThread(address, label: "test")
        defer { thread.close() }
        try thread.sync { thread throws(StoreError) in
            try thread.transaction("change", .latest) { for statement in statements { _ = try $0.run(statement) } }
        }
    }

    /// Takes away the last request that was signed, as a recovery to a time before it does.
    private func setBack() throws {
        try change("DELETE FROM signed_request WHERE id = (SELECT max(id) FROM signed_request)")
    }

    /// Ends the sessions of the test's stores, as a restart of the server does.
    private func cut() throws {
        try change(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '\(name)'")
    }

    @Test("A database that lacks what was signed here is refused at the next start, until it is taken up")
    func start() async throws {
        let first = try store()
        try await sign(first)
        first.close()
        try store().close()
        try setBack()
        #expect(throws: StoreError(.setBack, "")) { try store() }
        // Another replica's knowledge is its own.
        try store(folder.path("other")).close()
        let taken = try store(accepting: .earlier)
        try await taken.reinstate()
        taken.close()
        let again = try store()
        try await sign(again)
        again.close()
        try store(folder.path("other")).close()
    }

    @Test("A replica whose sessions return to a database that lacks what it signed signs nothing, until it is restarted")
    func running() async throws {
        let store = try store()
        try await sign(store)
        try cut()
        // Nothing was lost.
        try await sign(store)
        try setBack()
        try cut()
        await #expect(throws: StoreError(.setBack, "")) { try await sign(store) }
        await #expect(throws: StoreError(.setBack, "")) { try await store.look() }
        await #expect(throws: StoreError(.setBack, "")) { try await SQLAccessStore(store).accessRecords() }
        let other = try self.store(accepting: .earlier)
        try await other.reinstate()
        other.close()
        await #expect(throws: StoreError(.setBack, "")) { try await sign(store) }
        store.close()
        let next = try self.store()
        try await sign(next)
        next.close()
    }

    @Test("A replica that signed nothing knows the seals of the others")
    func seals() async throws {
        let (signing, idle) = (try store(), try store(folder.path("idle")))
        let audit = PostgreSQLAuditStore(signing)
        audit.use(.plain(1))
        try await sign(signing)
        _ = try await audit.seal(at: .testNow, certifying: nil)
        try await idle.look()
        for store in [signing, idle] { store.close() }
        try change("DELETE FROM audit_head")
        #expect(throws: StoreError(.setBack, "")) { try store(folder.path("idle")) }
    }

    @Test("Rows that retention has removed, and a standby's promotion, are no step back")
    func harmless() async throws {
        let first = try store()
        try await sign(first)
        first.close()
        try change("UPDATE chain_range SET signed_request_dropped = true WHERE first > 0")
        try change("ALTER TABLE signed_request DETACH PARTITION signed_request_1048576", "DROP TABLE signed_request_1048576")
        try store().close()
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("timeline ") })
        try text.replacing(line, with: "timeline 0").write(toFile: file, atomically: true, encoding: .utf8)
        try store().close()
        try text.replacing(line, with: "timeline 9").write(toFile: file, atomically: true, encoding: .utf8)
        #expect(throws: StoreError(.setBack, "")) { try store() }
    }

    @Test("Another cluster is refused, and so is a file of something else")
    func others() async throws {
        try store().close()
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first)
        try text.replacing(line, with: "store 7/7").write(toFile: file, atomically: true, encoding: .utf8)
        #expect(throws: StoreError(.setBack, "")) { try store() }
        try "important".write(toFile: file, atomically: true, encoding: .utf8)
        #expect(throws: StoreError(.unsuitable, "")) { try store() }
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "important")
        try "".write(toFile: file, atomically: true, encoding: .utf8)
        try store().close()
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains("restores 0"))
    }
}
