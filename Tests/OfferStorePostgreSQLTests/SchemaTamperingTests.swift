import CLibPQ
import OfferStore
import OfferStoreSQL
import OfferStoreTesting
import Testing

@testable import OfferStorePostgreSQL

/// Every table, column, index, constraint, trigger and function is changed or taken away, one at a time, and more is added.
@Suite("A database with another schema", .enabled(if: TestDatabase.isThere))
struct SchemaTamperingTests {
    private static let general: [[String]] = [
        ["CREATE TABLE x (y int8)"], ["CREATE VIEW x AS SELECT 1 AS y"], ["CREATE MATERIALIZED VIEW x AS SELECT 1 AS y"],
        ["CREATE SEQUENCE x"], ["CREATE TYPE x AS ENUM ('y')"], ["CREATE DOMAIN x AS int8"], ["CREATE COLLATION x FROM \"C\""],
        ["CREATE FUNCTION x() RETURNS int8 LANGUAGE sql AS 'SELECT 1'"],
        [
            "CREATE FUNCTION x(text, text) RETURNS boolean LANGUAGE sql AS 'SELECT true'",
            "CREATE OPERATOR = (LEFTARG = text, RIGHTARG = text, FUNCTION = x)",
        ],
        ["CREATE OR REPLACE FUNCTION raise_revision() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$"],
        ["CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$"],
        ["DROP FUNCTION raise_revision CASCADE"], ["ALTER FUNCTION raise_revision SECURITY DEFINER"],
        ["ALTER FUNCTION raise_revision SET search_path = pg_catalog"],
        [
            "CREATE FUNCTION x() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN END $$",
            "CREATE EVENT TRIGGER x ON ddl_command_end EXECUTE FUNCTION x()",
        ],
        ["CREATE CAST (bytea AS int8) WITH INOUT AS IMPLICIT"],
        ["CREATE FUNCTION pg_catalog.length(varchar) RETURNS int4 LANGUAGE sql AS 'SELECT 0'"],
        [
            "CREATE FUNCTION x(text, varchar) RETURNS boolean LANGUAGE sql AS 'SELECT true'",
            "CREATE OPERATOR pg_catalog.= (LEFTARG = text, RIGHTARG = varchar, FUNCTION = x)",
        ],
        ["CREATE SCHEMA elsewhere", "CREATE TABLE elsewhere.x () INHERITS (access)"],
        ["CREATE SCHEMA elsewhere", "CREATE TABLE elsewhere.x PARTITION OF nonce_series FOR VALUES IN (7)"],
        ["CREATE SCHEMA elsewhere", "CREATE TABLE elsewhere.x (y int8 REFERENCES serving_mark (served))"],
        ["CREATE TABLE nonce_series_default PARTITION OF nonce_series DEFAULT"],
        ["CREATE TABLE signed_request_7 (LIKE signed_request INCLUDING ALL)"],
        ["ALTER TABLE nonce_series DETACH PARTITION nonce_series_0"],
        ["ALTER SEQUENCE audit_chain_number_seq CYCLE"], ["ALTER SEQUENCE audit_chain_number_seq MAXVALUE 1000000"],
        ["ALTER TABLE access DISABLE TRIGGER access_changed"], ["ALTER TABLE serving_mark DISABLE TRIGGER ALL"],
        ["DROP TABLE nonce_series_20000"], ["ALTER TABLE nonce_series DETACH PARTITION nonce_series_20000"],
        ["ALTER TABLE nonce_series_20000 DROP CONSTRAINT nonce_series_20000_pkey"],
        [
            "CREATE TRIGGER x BEFORE UPDATE ON nonce_series_20000 FOR EACH ROW "
                + "EXECUTE FUNCTION suppress_redundant_updates_trigger()"
        ],
        ["CREATE RULE x AS ON INSERT TO signed_request_1048576 DO INSTEAD NOTHING"],
        ["ALTER TABLE signed_request DETACH PARTITION signed_request_1048576"],
        ["DROP INDEX signed_request_signed_at_id_idx"], ["UPDATE nonce_range SET is_dropped = true WHERE first > 0"],
        ["UPDATE chain_range SET chains = 100 WHERE first > 0"], ["INSERT INTO nonce_range VALUES (50000, 50001)"],
        ["UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'access_pkey'::regclass"],
    ]

    /// Statements by the kind of object, as the catalogue has it.
    private static let generated = """
        SELECT format(change, relname) FROM pg_class, (VALUES
            ('CREATE RULE x AS ON INSERT TO %1$I DO INSTEAD NOTHING'),
            ('CREATE RULE x AS ON DELETE TO %1$I DO ALSO DELETE FROM revision'),
            ('ALTER TABLE %1$I ADD COLUMN x text'),
            ('ALTER TABLE %1$I ADD CONSTRAINT x CHECK (false) NOT VALID'),
            ('ALTER TABLE %1$I ENABLE ROW LEVEL SECURITY'),
            ('CREATE POLICY x ON %1$I USING (false)'),
            ('CREATE TRIGGER x AFTER INSERT ON %1$I FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()')
        ) AS changes (change)
        WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
        UNION ALL
        SELECT format('ALTER TABLE %I SET UNLOGGED', relname) FROM pg_class
        WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND relname NOT LIKE 'serving%'
        UNION ALL
        SELECT format('ALTER TABLE %I %s', relname, CASE
            WHEN attnum % 3 = 0 AND attidentity = '' AND atttypid = 'int8'::regtype THEN format('ALTER COLUMN %I SET DEFAULT 9', attname)
            WHEN attnum % 3 = 1 AND atttypid = 'text'::regtype THEN format('ALTER COLUMN %I TYPE varchar', attname)
            ELSE format('RENAME COLUMN %I TO x', attname) END)
        FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
        WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND attnum > 0
            AND NOT attisdropped
        UNION ALL
        SELECT format('ALTER TABLE %I ALTER COLUMN %I DROP NOT NULL', relname, attname)
        FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
        WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND NOT relispartition AND attnum > 0 AND attnotnull
            AND attidentity = '' AND NOT EXISTS (SELECT FROM pg_index WHERE indrelid = attrelid AND indisprimary AND attnum = ANY(indkey))
        UNION ALL
        SELECT CASE WHEN conname IS NULL THEN format('DROP INDEX %I', index.relname)
            ELSE format('ALTER TABLE %s DROP CONSTRAINT %I CASCADE', indrelid::regclass, conname) END
        FROM pg_index JOIN pg_class AS index ON index.oid = indexrelid JOIN pg_class AS owner ON owner.oid = indrelid
        LEFT JOIN pg_constraint ON conindid = indexrelid AND contype IN ('p', 'u')
        WHERE index.relnamespace = current_schema()::regnamespace AND NOT owner.relispartition
        UNION ALL
        SELECT format('DROP TRIGGER %I ON %s', tgname, tgrelid::regclass) FROM pg_trigger JOIN pg_class ON tgrelid = pg_class.oid
        WHERE relnamespace = current_schema()::regnamespace AND NOT tgisinternal
        """

    /// Returns whether a change is found; nil where PostgreSQL refuses it.
    private func isFound(_ change: [String], _ store: PostgreSQLStore) async throws -> Bool? {
        do {
            return try await store.write("tamper", .latest) { transaction in
                let before = try PostgreSQLSchemaWatch.fingerprint(transaction)
                do { for statement in change { _ = try transaction.run(statement) } } catch {
                    throw StoreError(.inUse, "\(error)")
                }
                // Which partitions there are is said by rows, too, which a running service does not compare.
                let isOfRows = change.allSatisfy { $0.contains("_range SET") || $0.contains("INTO nonce_range") }
                guard try PostgreSQLSchemaWatch.fingerprint(transaction) != before || isOfRows else {
                    throw StoreError(.unsuitable, "a running service does not notice")
                }
                do { try PostgreSQLSchema.requireLatest(transaction) } catch {
                    throw error as? StoreError ?? StoreError(.damaged, "\(error)")
                }
                throw StoreError(.unsuitable, "not found")
            }
        } catch {
            switch error.code {
            case .schemaChanged: return true
            case .inUse: return nil
            default: return false
            }
        }
    }

    /// The address of a database that has the tables of no other test: the whole catalogue is read at each change.
    private func newDatabase() throws -> String {
        let name = TestDatabase.newName()
        let connection = PQconnectdb(TestDatabase.address!)
        defer { PQfinish(connection) }
        let result = PQexec(connection, "CREATE DATABASE \(name)")
        defer { PQclear(result) }
        try #require(PQresultStatus(result) == PGRES_COMMAND_OK, "\(String(cString: PQresultErrorMessage(result)))")
        return TestDatabase.address! + " dbname=\(name)"
    }

    /// Of the generated changes every eighth is tried, so that each kind meets many tables.
    @Test("is refused, whatever was changed")
    func all() async throws {
        let address = try TestDatabase.newSchema(in: newDatabase())
        let store = try PostgreSQLStore(address, readers: 1, audit: .testing)
        // One partition of each kind, as a service makes them.
        let day: Int64 = 20_000
        _ = try await PostgreSQLLedger(store).record(LedgerSubmission(.sample(at: day * 86_400_000)))
        try await store.write("make partitions", .latest) { transaction in
            try NoncePartitions.prepare(for: day..<day + 1, transaction)
            try ChainRange.prepare(for: day + 5..<day + 6, transaction)
        }
        try await store.read("compare") { try PostgreSQLSchema.requireLatest($0) }
        let generated = try await store.read("list") { transaction in
            try transaction.run(Self.generated).map { $0.text(0) }.sorted().enumerated().filter { $0.offset % 8 == 0 }.map(
                \.element)
        }
        var (count, missed) = (0, [String]())
        for change in Self.general + generated.map({ [$0] }) {
            guard let isFound = try await isFound(change, store) else { continue }
            count += 1
            if !isFound { missed += change }
        }
        #expect(missed == [])
        #expect(count > 120)
        try await store.read("compare") { try PostgreSQLSchema.requireLatest($0) }
        store.close()
    }

    @Test("is refused when it is opened or migrated, and nothing is written")
    func opening() throws {
        for migrations in [PostgreSQLMigrations.own, TestDatabase.laterRelease()] {
            let address = try TestDatabase.newSchema()
            try TestDatabase.fill(address) { _ = try $0.run("CREATE RULE x AS ON INSERT TO secret DO INSTEAD NOTHING") }
            let error = #expect(throws: StoreError(.schemaChanged, "")) { try PostgreSQLStore.migrate(address, migrations) }
            #expect(error?.detail.contains("rule x on secret was added") ?? false)
            let thread = SessionThread(address, label: "test")
            defer { thread.close() }
            try thread.sync { thread throws(StoreError) in
                try thread.transaction("mend", .latest) { transaction in
                    #expect(try transaction.run("SELECT version FROM schema_version").first { $0.number(0) } == 1)
                    _ = try transaction.run("DROP RULE x ON secret")
                }
            }
            #expect(try !PostgreSQLStore.migrate(address, migrations))
        }
    }

    @Test("stops a running process until it is as before, and a newer release's schema does not")
    func running() async throws {
        let store = try PostgreSQLStore(TestDatabase.newSchema(), readers: 1, audit: .testing)
        let ledger = PostgreSQLLedger(store)
        func record() async throws -> LedgerOutcome { try await ledger.record(LedgerSubmission(.sample())) }
        func run(_ sql: String) async throws { try await store.write("tamper", .latest) { _ = try $0.run(sql) } }
        func compare() async throws(StoreError) { try await store.write("compare", .latest) { try store.schema.compare($0) } }
        #expect(try await record() == .recorded)
        try await store.look()
        try await run("CREATE RULE x AS ON INSERT TO nonce_series DO INSTEAD NOTHING")
        let error = await #expect(throws: StoreError(.schemaChanged, "")) { try await compare() }
        #expect(error?.detail.contains("rule x on nonce_series was added") == true)
        await #expect(throws: StoreError(.schemaChanged, "")) { try await record() }
        await #expect(throws: StoreError(.schemaChanged, "")) { try await store.look() }
        try await run("DROP RULE x ON nonce_series")
        try await store.look()
        #expect(try await record() == .recorded)
        // What is the operator's.
        for sql in ["ALTER INDEX access_pkey SET (fillfactor = 80)", "ALTER TABLE access SET (autovacuum_enabled = off)"] {
            try await run(sql)
            try await compare()
        }
        try await run("ALTER TABLE access ADD COLUMN later int8")
        try await run("UPDATE schema_version SET version = version + 1")
        try await compare()
        #expect(try await record() == .recorded)
        // What was made meanwhile is seen once the version is this release's again.
        try await run("UPDATE schema_version SET version = version - 1")
        await #expect(throws: StoreError(.schemaChanged, "")) { try await compare() }
        await #expect(throws: StoreError(.schemaChanged, "")) { try await record() }
        store.close()
    }

    @Test("is not what partitions make that a service makes and drops")
    func partitions() async throws {
        let address = try TestDatabase.newSchema()
        let store = try PostgreSQLStore(address, readers: 1, audit: .testing)
        for day in Int64(20_000)..<20_010 {
            try await store.write("make partitions", .latest) { transaction in
                try NoncePartitions.prepare(for: day..<day + 1, transaction)
                try ChainRange.prepare(for: day..<day + 1, transaction)
                guard day == 20_009 else { return }
                for statement in [
                    "UPDATE nonce_range SET is_dropped = true WHERE first = 20003", "DROP TABLE nonce_series_20003",
                    "UPDATE chain_range SET signed_request_dropped = true WHERE first IN (0, 1049600)",
                    "DROP TABLE signed_request_0", "DROP TABLE signed_request_1049600",
                ] {
                    transaction.enqueue(SQLStatement(statement))
                }
            }
            try await store.examine()
        }
        try PostgreSQLStore(address, readers: 1).close()
        store.close()
    }
}
