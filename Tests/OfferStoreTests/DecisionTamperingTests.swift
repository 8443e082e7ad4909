import EligibilityRules
import GRDB
import OfferStore
import OfferStoreSQL
import OfferStoreSQLite
import OfferStoreTesting
import Testing

@testable import OfferStorePostgreSQL

/// What an attacker with the store's file, or with the database's password, does to decisions, and what is noticed at the next look.
@Suite("Decisions that were tampered with")
struct DecisionTamperingTests {
    /// Statements, and what must be in doubt after them.
    struct Tampering: Sendable, CustomStringConvertible {
        let description: String
        let statements: [String]
        /// The apps of which no key may sign any more.
        var apps: [String] = []
        /// The access keys that must be refused.
        var access: [String] = []
    }

    private static let apps = ["a", "b", "a", "a", "a", "b", KeyDecision.everyApp]
    private static let tables = ["key_decision", "access", "audit_event", "key_proposal"]

    private static func fill(_ store: SigningStore) async throws {
        let states: [(String, String)] = [
            ("LEAKED", "active"), ("LEAKED", "active"), ("LEAKED", "retiring"), ("NEW", "active"), ("LEAKED", "revoked"),
            ("LEAKED", "revoked"), ("NEXT", "staged"),
        ]
        let decisions = zip(apps, states).enumerated().map { index, made in
            KeyDecision(
                keyID: made.1.0, bundleID: made.0, state: made.1.1, decidedAt: Instant(milliseconds: Int64(index)),
                decidedBy: "ann",
                reason: "für Tests", fingerprint: made.1.0.lowercased())
        }
        #expect(try await store.credentials.keys.add(Array(decisions[..<2]), after: 0))
        for index in 2..<decisions.count { #expect(try await store.credentials.keys.add([decisions[index]], after: index)) }
        for (index, role) in ["viewer", "client", "admin"].enumerated() {
            try await store.credentials.access.add(
                AccessRecord(
                    id: role, secretDigest: [UInt8](repeating: UInt8(index), count: 32), role: role,
                    apps: index == 1 ? ["a", "b"] : nil, note: "",
                    lifetime: AccessLifetime(
                        createdAt: Instant(milliseconds: 10), createdBy: index == 0 ? nil : "admin",
                        expiresAt: Instant(milliseconds: 1000))))
        }
        #expect(try await store.credentials.access.revokeAccess(id: "client", at: Instant(milliseconds: 20)))
        let proposal = KeyProposal(
            id: "p", requestName: "activate", keyID: "NEXT", bundleIDs: ["a", "b"], proposedAt: Instant(milliseconds: 30),
            proposedBy: "ann", reason: "für Tests")
        try await store.credentials.keys.add(proposal)
    }

    private static let columns = "key_id, bundle_id, state, decided_at, decided_by, reason, fingerprint"
    private static let eventColumns = """
        at, actor, action, bundle_id, subject, before, after, reason, request_id, customer_id, transaction_id, address, chain, link,
        personal_digest
        """

    private static func exchange(_ table: String, _ first: String, _ second: String) -> [String] {
        let free = table == "access" ? "'free'" : "-1"
        return [(first, free), (second, first), (free, second)].map { "UPDATE \(table) SET id = \($1) WHERE id = \($0)" }
    }

    private static func event(_ number: Int) -> String {
        "(SELECT min(id) FROM audit_event WHERE after LIKE '%, decision \(number), %')"
    }

    /// Every row of decisions copied, moved, changed, exchanged and removed, alone and together with its event.
    private static var ofDecisions: [Tampering] {
        let count = apps.count
        let edits = [
            "key_id": "'NEW2'", "bundle_id": "'c'", "state": "'active '", "decided_at": "decided_at + 1", "decided_by": "'bob'",
            "reason": "''", "fingerprint": "'other'",
        ]
        var all: [Tampering] = []
        for number in 1...count {
            let app = apps[number - 1]
            func add(_ name: String, _ statements: String..., apps: [String]? = nil) {
                all.append(Tampering(description: "\(name) \(number)", statements: statements, apps: apps ?? [app]))
            }
            let copied = "SELECT \(count + 1), \(columns) FROM key_decision WHERE id = \(number)"
            add("a copy of", "INSERT INTO key_decision (id, \(columns)) \(copied)")
            add(
                "a copy before all of",
                "INSERT INTO key_decision (id, \(columns)) SELECT 0, \(columns) FROM key_decision WHERE id = \(number)")
            add(
                "a copy with an event of", "INSERT INTO key_decision (id, \(columns)) \(copied)",
                """
                INSERT INTO audit_event (id, \(eventColumns))
                SELECT (SELECT max(id) FROM audit_event) + 1, \(
                    eventColumns.replacing(" after,", with: " replace(after, 'decision \(number)', 'decision \(count + 1)'),"))
                FROM audit_event WHERE id = \(event(number))
                """)
            add("another number of", "UPDATE key_decision SET id = \(count + 100) WHERE id = \(number)")
            add("removed", "DELETE FROM key_decision WHERE id = \(number)")
            add(
                "removed with its event", "DELETE FROM audit_event WHERE id = \(event(number))",
                "DELETE FROM key_decision WHERE id = \(number)")
            add("without its event", "DELETE FROM audit_event WHERE id = \(event(number))")
            for (column, value) in edits.sorted(by: { $0.key < $1.key }) {
                add("another \(column) of", "UPDATE key_decision SET \(column) = \(value) WHERE id = \(number)")
            }
            add(
                "active in place of what it was, and its event too,",
                "UPDATE key_decision SET state = 'staged' WHERE id = \(number)",
                """
                UPDATE audit_event SET after = 'staged, decision \(number), fingerprint x' WHERE id = \(event(number))
                """)
            add("the event of another time of", "UPDATE audit_event SET at = at + 1 WHERE id = \(event(number))")
            add(
                "another link of",
                """
                UPDATE audit_event SET link = (SELECT link FROM audit_event AS other WHERE other.id <> audit_event.id ORDER BY id LIMIT 1)
                WHERE id = \(event(number))
                """)
            for other in number + 1..<count + 1 {
                all.append(
                    Tampering(
                        description: "\(number) and \(other) exchanged",
                        statements: exchange("key_decision", "\(number)", "\(other)"), apps: [app, apps[other - 1]]))
            }
        }
        return all
    }

    private static var ofAccess: [Tampering] {
        let edits = [
            "secret_digest": "(SELECT secret_digest FROM access AS other WHERE other.id <> access.id ORDER BY id LIMIT 1)",
            "role": "'security'", "apps": "'c'", "created_at": "created_at + 1", "created_by": "'bob'", "expires_at": "NULL",
            "revoked_at": "coalesce(revoked_at, 0) + 1",
        ]
        var all: [Tampering] = []
        for id in ["viewer", "client", "admin"] {
            func add(_ name: String, _ statements: String..., access: [String]? = nil) {
                all.append(Tampering(description: "\(name) \(id)", statements: statements, access: access ?? [id]))
            }
            for (column, value) in edits.sorted(by: { $0.key < $1.key }) {
                add("another \(column) of", "UPDATE access SET \(column) = \(value) WHERE id = '\(id)'")
            }
            add(
                "another end, and its event too, of", "UPDATE access SET expires_at = NULL WHERE id = '\(id)'",
                """
                UPDATE audit_event SET after = replace(after, 'until 1970-01-01T00:00:01Z', 'without end')
                WHERE subject = '\(id)' AND action = 'access.create'
                """)
            add(
                "a copy under another id of",
                """
                INSERT INTO access (id, secret_digest, role, apps, note, created_at, expires_at, revoked_at, created_by, time_zone)
                SELECT 'copy', secret_digest, role, apps, note, created_at, expires_at, NULL, created_by, time_zone FROM access
                WHERE id = '\(id)'
                """, access: ["copy"])
            add("without its events", "DELETE FROM audit_event WHERE subject = '\(id)'")
            add("removed", "DELETE FROM access WHERE id = '\(id)'", access: [])
        }
        all.append(
            Tampering(
                description: "a revocation that was taken back",
                statements: ["UPDATE access SET revoked_at = NULL WHERE id = 'client'"], access: ["client"]))
        all.append(
            Tampering(
                description: "a revocation that was taken back with its event",
                statements: [
                    "UPDATE access SET revoked_at = NULL WHERE id = 'client'",
                    "DELETE FROM audit_event WHERE action = 'access.revoke'",
                ]))
        all.append(
            Tampering(
                description: "two exchanged", statements: exchange("access", "'viewer'", "'admin'"), access: ["viewer", "admin"]))
        return all
    }

    @Test("Each of them is found before anything is signed or anybody admitted, and by a verification", arguments: Database.all)
    func found(_ kind: Database) async throws {
        let (store, database, folder) = try kind.make()
        defer { withExtendedLifetime(folder) {} }
        store.audit.use(.plain(1))
        try await Self.fill(store)
        _ = try await store.audit.seal(at: Instant(milliseconds: 40), certifying: nil)
        let keys = store.credentials.keys
        let before = try await keys.keyDecisions()
        #expect(before.fault == nil && before.all.count == Self.apps.count)
        #expect(try await store.credentials.access.accessRecords().allSatisfy { $0.fault == nil })
        #expect(try await store.audit.verify(.plain([1]), heads: []).faults == [])
        let tamperings = Self.ofDecisions + Self.ofAccess
        #expect(tamperings.count > 150)
        try database.run(Self.tables.map { "CREATE TABLE kept_\($0) AS SELECT * FROM \($0)" })
        for tampering in tamperings {
            try database.run(tampering.statements)
            let decisions = try await keys.keyDecisions().continuing(before)
            for app in tampering.apps { #expect(decisions.fault(in: app) != nil, "\(kind): \(tampering)") }
            let refused = try await store.credentials.access.accessRecords().filter { $0.fault != nil }.map(\.id)
            #expect(Set(refused).isSuperset(of: tampering.access), "\(kind): \(tampering)")
            let faults = try await store.audit.verify(.plain([1]), heads: []).faults
            #expect(!faults.isEmpty, "\(kind): \(tampering)")
            try database.run(Self.tables.flatMap { ["DELETE FROM \($0)", "INSERT INTO \($0) SELECT * FROM kept_\($0)"] })
        }
        #expect(try await keys.keyDecisions() == before)
    }
}

extension DecisionTamperingTests {
    /// A store that is written from outside.
    enum Database: String, Sendable {
        case sqlite, postgresql

        static var all: [Database] { TestDatabase.isThere ? [.sqlite, .postgresql] : [.sqlite] }

        enum Door {
            case file(DatabaseQueue)
            case session(SessionThread)

            func run(_ statements: [String]) throws {
                switch self {
                case .file(let queue): try queue.write { database in for sql in statements { try database.execute(sql: sql) } }
                case .session(let thread):
                    try thread.sync { thread throws(StoreError) in
                        try thread.transaction("tamper", .latest) { for sql in statements { _ = try $0.run(sql) } }
                    }
                }
            }
        }

        func make() throws -> (store: SigningStore, door: Door, folder: TemporaryFolder) {
            let folder = try TemporaryFolder()
            switch self {
            case .sqlite:
                let path = folder.path("store.sqlite")
                let store = try SigningStore.sqlite(path: path, audit: .testing) { _ in }
                return (store, .file(try DatabaseQueue(path: path)), folder)
            case .postgresql:
                let address = try TestDatabase.newSchema()
                let store = try SigningStore.postgresql(address, audit: .testing)
                return (store, .session(SessionThread(address, label: "tamper")), folder)
            }
        }
    }
}
