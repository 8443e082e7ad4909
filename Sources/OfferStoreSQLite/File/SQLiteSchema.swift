import GRDB
import OfferStore
import Synchronization

/// The schema of one of the store's files, as its migrations make it.
final class SQLiteSchema: Sendable {
    static let signatures = SQLiteSchema(SQLiteMigrations.signatures)
    static let histories = SQLiteSchema(SQLiteMigrations.histories)

    let migrator: DatabaseMigrator
    /// The schema that all migrations make together.
    private let whole: Result<StoreSchema, any Error>

    /// - Parameter migrator: has at least one migration.
    init(_ migrator: DatabaseMigrator) {
        self.migrator = migrator
        whole = Result { try Self.made(by: migrator, upTo: migrator.migrations.last!) }
    }

    /// Brings the schema up to date. Throws, before anything is written, if it is not what the earlier migrations made.
    ///
    /// Returns whether the file was empty.
    func migrate(_ pool: DatabasePool) throws -> Bool {
        let isEmpty = try pool.read { database in
            guard try !migrator.hasBeenSuperseded(database) else {
                throw StoreError(
                    .newerSchema,
                    "a newer or an unreleased build of OfferSigner has changed this store; use that one, or begin with a new store"
                )
            }
            return try requireEarlier(database, pool.path)
        }
        try migrator.migrate(pool)
        try pool.read { try require($0, pool.path) }
        return isEmpty
    }

    /// Throws if the file has another schema than all migrations make.
    ///
    /// The schema of a newer release is accepted, as it is not known here.
    func require(_ database: Database, _ path: String) throws {
        guard try !migrator.hasBeenSuperseded(database) else { return }
        try Self.read(database).require(whole.get(), of: path)
    }

    private func requireEarlier(_ database: Database, _ path: String) throws -> Bool {
        let applied = try migrator.appliedMigrations(database)
        guard applied.elementsEqual(migrator.migrations.prefix(applied.count)) else {
            throw StoreError(.schemaChanged, "\(path) lacks a migration before “\(applied.last ?? "")”; restore a backup")
        }
        let found = try Self.read(database)
        guard let last = applied.last else {
            // A process may have ended before the first migration.
            let beginning = try whole.get().divided { $0.contains("grdb_migrations") }.matching
            try found.require(found == beginning ? beginning : StoreSchema(), of: path)
            return true
        }
        let isWhole = last == migrator.migrations.last
        try found.require(isWhole ? whole.get() : Self.made(by: migrator, upTo: last), of: path)
        return false
    }

    private static func made(by migrator: DatabaseMigrator, upTo last: String) throws -> StoreSchema {
        let queue = try DatabaseQueue()
        try migrator.migrate(queue, upTo: last)
        return try queue.read(read)
    }

    /// Reads the schema of a file.
    ///
    /// Texts are compared as hexadecimal digits of their bytes, because SQLite's functions for texts stop at a NUL. The tables of
    /// `ANALYZE` are left out, because SQLite only chooses indexes by them.
    private static func read(_ database: Database) throws -> StoreSchema {
        var schema = StoreSchema()
        let sql = """
            SELECT coalesce(type, '') || ' ' || coalesce(name, ''), rootpage,
                coalesce(rootpage > 0, 'none') || ' ' || coalesce(hex(tbl_name), '') || ' ' || coalesce(hex(sql), 'none'),
                (type, name, tbl_name, sql) IN (VALUES
                    ('table', 'sqlite_stat1', 'sqlite_stat1', 'CREATE TABLE sqlite_stat1(tbl,idx,stat)'),
                    ('table', 'sqlite_stat4', 'sqlite_stat4', 'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)'))
            FROM main.sqlite_schema
            """
        var pages: Set<Int64> = []
        for row in try Row.fetchAll(database, sql: sql) {
            let (name, definition): (String, String) = (row[0], row[2])
            if row[3] != true { schema.add(name, definition) }
            // Two tables in one place would overwrite each other.
            guard let page = Int64.fromDatabaseValue(row[1]), page > 0, !pages.insert(page).inserted else { continue }
            schema.add("second use of the pages of \(name)", "")
        }
        return schema
    }
}

/// Notices when another program changes the schema of a file in use.
final class SQLiteSchemaWatch: Sendable {
    private let schema: SQLiteSchema
    private let path: String
    /// SQLite's number of changes of the schema when it was compared last.
    private let changes = Atomic<Int64>(-1)

    init(_ schema: SQLiteSchema, path: String) { (self.schema, self.path) = (schema, path) }

    /// Throws if the schema has changed since the last call, and is not the expected one any more.
    func look(_ database: Database) throws {
        let statement = try PreparedStatement(database, "PRAGMA main.schema_version")
        defer { statement.reset() }
        guard try statement.step() else { return }
        let count = statement.number(0)
        guard count != changes.load(ordering: .relaxed) else { return }
        try examine(database)
        changes.store(count, ordering: .relaxed)
    }

    /// Throws if the schema is not the expected one.
    func examine(_ database: Database) throws { try schema.require(database, path) }
}

/// The migrations of the store's files. Until 0.1.0 is released, the base schema is changed in place. A released schema never
/// changes.
enum SQLiteMigrations {
    /// The migrations of the file of signatures.
    static var signatures: DatabaseMigrator { migrator("signatures", SQLiteTables.signatures) }

    /// The migrations of the file of histories.
    static var histories: DatabaseMigrator { migrator("histories", SQLiteTables.histories) }

    private static func migrator(_ name: String, _ statements: [String]) -> DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration(name) { database in for statement in statements { try database.execute(sql: statement) } }
        return migrator
    }
}
