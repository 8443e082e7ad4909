import Foundation
import GRDB
import OfferStore
import OfferStoreTesting
import Testing

@testable import OfferStoreSQLite

/// Every table, index, trigger and view of both files is added to, changed or taken away, one at a time.
@Suite("A file of the store with another schema")
struct SchemaTamperingTests {
    private enum Kind: String, CaseIterable { case signatures, histories }

    private struct Object: Equatable {
        let type: String
        let name: String
        let table: String
        let sql: String?
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open(_ kind: Kind, _ path: String) throws {
        switch kind {
        case .signatures: try SQLiteStore(path: path, audit: .testing).close()
        case .histories: try SQLiteHistoryFile(path: path).close()
        }
    }

    private func objects(of path: String) throws -> [Object] {
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        return try queue.read { database in
            try Row.fetchAll(database, sql: "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name")
                .map { Object(type: $0[0], name: $0[1], table: $0[2], sql: $0[3]) }
        }
    }

    /// What SQL can do to an object, and what only an edit of the schema's own table can.
    private func tamperings(with object: Object) -> [String] {
        func edit(_ change: String) -> String {
            """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET \(change) WHERE type = '\(object.type)' AND name = '\(object.name)';
            PRAGMA writable_schema = RESET
            """
        }
        let isOwn = !object.name.hasPrefix("sqlite_")
        switch object.type {
        case "table" where isOwn:
            return [
                "CREATE TRIGGER x AFTER INSERT ON \(object.name) BEGIN DELETE FROM \(object.name); END",
                "CREATE TRIGGER x BEFORE DELETE ON \(object.name) BEGIN SELECT RAISE(IGNORE); END",
                "ALTER TABLE \(object.name) ADD COLUMN x TEXT DEFAULT 'x'",
                "ALTER TABLE \(object.name) ADD COLUMN x INTEGER GENERATED ALWAYS AS (1) VIRTUAL",
                "CREATE VIEW x AS SELECT * FROM \(object.name)",
                "ALTER TABLE \(object.name) RENAME TO x",
                edit("sql = sql || ' '"),
                edit("sql = replace(replace(sql, ' NOT NULL', ''), ' UNIQUE', '')"),
            ]
        case "index" where object.sql != nil: return ["DROP INDEX \(object.name)", edit("sql = replace(sql, 'INDEX', 'index')")]
        case "index": return [edit("sql = 'CREATE INDEX x ON \(object.table) (1)'")]
        case "trigger":
            return [
                "DROP TRIGGER \(object.name)", edit("sql = replace(sql, 'number + 1', 'number + 0')"),
                edit("sql = replace(sql, 'ABORT', 'IGNORE')"), edit("type = 'other'"),
            ]
        case "view": return ["DROP VIEW \(object.name)", edit("sql = replace(sql, 'FROM', 'from')")]
        default: return []
        }
    }

    private static let general = [
        "CREATE TABLE x (y)", "CREATE VIRTUAL TABLE x USING fts5(y)", "CREATE TABLE x (y PRIMARY KEY) WITHOUT ROWID",
        "ANALYZE; PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'CREATE TABLE sqlite_stat1(tbl,idx)' WHERE name = 'sqlite_stat1'",
        "DELETE FROM grdb_migrations", "DROP TABLE grdb_migrations",
        "DELETE FROM grdb_migrations WHERE identifier LIKE '5 %'",
        "UPDATE grdb_migrations SET identifier = '5 another' WHERE identifier LIKE '5 %'",
    ]

    /// Returns false where nothing has changed, such as after a statement that SQLite refuses.
    private func tamper(_ path: String, _ sql: String) throws -> Bool {
        let before = try Data(contentsOf: URL(filePath: path))
        let queue = try DatabaseQueue(path: path)
        // SQLite may refuse to read the schema that it has just written.
        try? queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        try? queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try queue.close()
        return try Data(contentsOf: URL(filePath: path)) != before
    }

    @Test("is refused before anything is written, whatever was changed", arguments: ["signatures", "histories"])
    func all(_ name: String) throws {
        let kind = try #require(Kind(rawValue: name))
        let path = folder.path("store.sqlite")
        try open(kind, path)
        let whole = try Data(contentsOf: URL(filePath: path))
        var count = 0
        // Each way meets every third object.
        let all = try objects(of: path).map(tamperings).enumerated().flatMap { number, ways in
            ways.enumerated().filter { ($0.offset + number) % 3 == 0 }.map(\.element)
        }
        for sql in Self.general + all {
            try whole.write(to: URL(filePath: path))
            guard try tamper(path, sql) else { continue }
            count += 1
            let before = try? objects(of: path)
            let error = #expect(throws: StoreError.self, "\(sql)") { try open(kind, path) }
            // SQLite itself refuses what it cannot parse.
            let isRefused = error?.code == .schemaChanged || error?.code == .newerSchema
            #expect(isRefused || error?.detail.contains("malformed") ?? false, "\(sql): \(String(describing: error))")
            let after = try? objects(of: path)
            #expect(after == before, "\(sql)")
            for end in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
        }
        #expect(count > 60)
        try whole.write(to: URL(filePath: path))
        try open(kind, path)
    }

    @Test("is accepted with the statistics of ANALYZE, unless they lie in the pages of a table")
    func statistics() throws {
        let path = folder.path("store.sqlite")
        try open(.signatures, path)
        #expect(try tamper(path, "ANALYZE"))
        #expect(try objects(of: path).contains { $0.name == "sqlite_stat1" })
        try open(.signatures, path)
        let page = "rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'nonce_series') WHERE name = 'sqlite_stat1'"
        #expect(try tamper(path, "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET \(page)"))
        #expect(throws: StoreError.self) { try open(.signatures, path) }
    }

    @Test("is refused where two tables have the same pages, or an index none")
    func pages() throws {
        let path = folder.path("store.sqlite")
        try open(.signatures, path)
        let whole = try Data(contentsOf: URL(filePath: path))
        for change in [
            "rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'access_use') WHERE name = 'nonce_series'",
            "rootpage = 0 WHERE name = 'idempotency_by_age'",
        ] {
            try whole.write(to: URL(filePath: path))
            #expect(try tamper(path, "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET \(change)"))
            #expect(throws: StoreError.self, "\(change)") { try open(.signatures, path) }
        }
    }

    @Test("of an earlier release is compared with what that release made")
    func earlier() throws {
        let path = folder.path("store.sqlite")
        try open(.signatures, path)
        var migrator = SQLiteMigrations.signatures
        migrator.registerMigration("made up") { database in
            try database.execute(sql: "ALTER TABLE secret ADD COLUMN kept_at INTEGER; UPDATE secret SET kept_at = 1")
        }
        let later = SQLiteSchema(migrator)
        let pool = try DatabasePool(path: path)
        func isMigrated() throws -> Bool { try pool.read(migrator.hasCompletedMigrations) }
        try pool.write { try $0.execute(sql: "CREATE TRIGGER x AFTER INSERT ON secret BEGIN DELETE FROM secret; END") }
        #expect(throws: StoreError(.schemaChanged, "")) { try later.migrate(pool) }
        #expect(try !isMigrated())
        try pool.write { try $0.execute(sql: "DROP TRIGGER x; INSERT INTO secret VALUES ('a', x'00')") }
        #expect(try !later.migrate(pool))
        #expect(try isMigrated())
        #expect(try pool.read { try Int64.fetchAll($0, sql: "SELECT DISTINCT kept_at FROM secret") } == [1])
        #expect(try !later.migrate(pool))
        // What the migration has made counts as well.
        try pool.write { try $0.execute(sql: "ALTER TABLE secret RENAME COLUMN kept_at TO x") }
        #expect(throws: StoreError(.schemaChanged, "")) { try later.migrate(pool) }
        // The earlier release does not use it.
        #expect(throws: StoreError(.newerSchema, "")) { try open(.signatures, path) }
    }

    @Test("is noticed while the store is in use, and nothing is written any more")
    func inUse() async throws {
        let path = folder.path("store.sqlite")
        let store = try SQLiteStore(path: path, audit: .testing)
        try await store.look()
        let queue = try DatabaseQueue(path: path)
        // What an operator may do.
        try await queue.writeWithoutTransaction { try $0.execute(sql: "VACUUM") }
        try await store.look()
        try await queue.write {
            try $0.execute(sql: "CREATE TRIGGER x AFTER INSERT ON secret BEGIN DELETE FROM nonce_series; END")
        }
        await #expect(throws: StoreError(.schemaChanged, "")) { try await store.look() }
        await #expect(throws: StoreError(.schemaChanged, "")) {
            try await SQLiteLedger(store: store).record(LedgerSubmission(.sample()))
        }
        await #expect(throws: StoreError(.schemaChanged, "")) { try await store.examine() }
        try queue.close()
    }

    @Test("names what is wrong, without what commands a terminal")
    func message() throws {
        let path = folder.path("store.sqlite")
        try open(.signatures, path)
        #expect(try tamper(path, "DROP INDEX idempotency_by_age; CREATE TABLE \"\u{1B}[2J\" (y)"))
        let error = #expect(throws: StoreError(.schemaChanged, "")) { try open(.signatures, path) }
        let detail = try #require(error?.detail)
        #expect(detail.contains("index idempotency_by_age is missing") && detail.contains("table ?[2J was added"))
    }
}
