import EligibilityRules
import OfferStore
import OfferStoreSQL
import OfferStoreTesting
import Testing

@testable import OfferStorePostgreSQL

@Suite("Reading access keys from PostgreSQL", .enabled(if: TestDatabase.isThere), .timeLimit(.minutes(30)))
struct AccessReadingTests {
    @Test("Access keys are compared with their events, however many other events there are, without reading those")
    func others() async throws {
        let address = try TestDatabase.newSchema()
        let store = try PostgreSQLStore(address, readers: 1, audit: .testing)
        let record = AccessRecord(
            id: "a", secretDigest: [1], role: "client", apps: nil, note: "", lifetime: AccessLifetime(createdAt: .testNow))
        // As by the command line, whose event is the first of its chain.
        let event = AuditEvent(
            at: .testNow, actor: "b", action: "access.create", object: AuditObject("a"))
        try await SQLAccessStore(store).add(record, audit: [event])
        try await store.write("add other events", .latest) { transaction in
            _ = try transaction.run(
                """
                INSERT INTO audit_event (id, at, actor, action, chain, link)
                SELECT number, 0, 'c', 'console.sign-in', 0, '' FROM generate_series(1, 20000) AS number
                """)
            _ = try transaction.run("ANALYZE audit_event")
        }
        store.close()
        let before = try await entriesRead(address)
        let reader = try PostgreSQLStore(address, readers: 1, audit: .testing)
        #expect(try await SQLAccessStore(reader).accessRecords().map(\.id) == ["a"])
        reader.close()
        var after = before
        // The server counts what a session has read when it ends.
        while after.events == before.events {
            try await Task.sleep(for: .milliseconds(20))
            after = try await entriesRead(address)
        }
        #expect(after.all - before.all < 1000)
    }

    /// The entries read so far, of the index of the events of access keys, and of all indexes of events.
    private func entriesRead(_ address: String) async throws -> (events: Int64, all: Int64) {
        let store = try PostgreSQLStore(address, readers: 1)
        defer { store.close() }
        return try await store.read("count") { transaction in
            try transaction.run(
                """
                SELECT (sum(idx_tup_read) FILTER (WHERE indexrelname = 'audit_event_of_access'))::int8, sum(idx_tup_read)::int8
                FROM pg_stat_user_indexes WHERE schemaname = current_schema() AND relname = 'audit_event'
                """
            ).first { ($0.number(0), $0.number(1)) }!
        }
    }
}
