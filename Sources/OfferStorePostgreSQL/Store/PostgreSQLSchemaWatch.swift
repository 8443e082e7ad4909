import OfferStore
import OfferStoreSQL
import Synchronization

/// Notices when another program changes the schema of the database in use.
final class PostgreSQLSchemaWatch: Sendable {
    /// The time between two looks, each of which costs the server some 20 ms.
    private static let pause: Duration = .seconds(10)

    private struct State {
        /// When to look next; nil for at once.
        var due: ContinuousClock.Instant?
        /// The fingerprint of the schema that was compared last.
        var compared = ""
        /// How the schema that was compared last differs from the expected one; nil if it does not differ.
        var difference: StoreError?
    }

    private let state = Mutex(State())

    /// Throws if the last comparison found another schema than the expected one.
    func requireWhole() throws(StoreError) {
        if let difference = state.withLock({ $0.difference }) { throw difference }
    }

    /// Compares the schema at most every ten seconds, but at every call while it differs. Throws if it differs.
    func look(_ store: PostgreSQLStore) async throws(StoreError) {
        let now = ContinuousClock.now
        guard state.withLock({ ($0.due.map { $0 <= now } ?? true) || $0.difference != nil }) else { return }
        // Each statement sees the latest state, as partitions may be made or dropped meanwhile.
        try await store.write("compare the schema", .latest) { [self] in try compare($0) }
        state.withLock { $0.due = now + Self.pause }
    }

    /// Throws if the schema is not the expected one. Compares it only if something has changed since the last call.
    func compare(_ transaction: Transaction) throws {
        let found = try Self.fingerprint(transaction)
        // While there is a difference, it is examined at every call, because the fingerprint may not show that it was mended.
        if state.withLock({ $0.compared != found || $0.difference != nil }) {
            var difference: StoreError?
            do { try requireExpected(transaction) } catch let error as StoreError where error.code == .schemaChanged {
                difference = error
            }
            state.withLock { ($0.compared, $0.difference) = (found, difference) }
        }
        try requireWhole()
    }

    private func requireExpected(_ transaction: Transaction) throws {
        // Not by the column's name: a statement that fails would say nothing about the schema.
        let sql = "SELECT (to_jsonb(schema_version) ->> 'version')::int8 FROM schema_version"
        let version = try transaction.run(sql).first { $0.optionalNumber(0) } ?? nil
        // A newer release may migrate the schema while this release still serves. This release does not know what that schema
        // must be.
        if let version, Int(version) > PostgreSQLMigrations.own.latest { return }
        try PostgreSQLSchema.requireLatest(transaction)
    }

    /// A hash that changes with every transaction that changes the catalogue's rows about the schema, or about what acts on all
    /// schemas.
    static func fingerprint(_ transaction: Transaction) throws -> String {
        try transaction.run(fingerprintQuery).first { $0.text(0) } ?? ""
    }

    private static let fingerprintQuery = """
        WITH own AS (SELECT oid, xmin FROM pg_class WHERE relnamespace = current_schema()::regnamespace)
        SELECT md5(string_agg(concat(part, id, ' ', version), ',' ORDER BY part, id, version)) FROM (
            SELECT 'class' AS part, oid AS id, xmin::text AS version FROM own
            UNION ALL SELECT 'version', 0, concat(schema_version, ' ', xmin) FROM schema_version
            UNION ALL SELECT 'parent', inhrelid, concat(inhparent, ' ', xmin) FROM pg_inherits
            UNION ALL SELECT 'column', attrelid, xmin::text FROM pg_attribute WHERE attrelid IN (SELECT oid FROM own)
            UNION ALL SELECT 'default', oid, xmin::text FROM pg_attrdef
            UNION ALL SELECT 'index', indexrelid, xmin::text FROM pg_index WHERE indrelid IN (SELECT oid FROM own)
            UNION ALL SELECT 'constraint', oid, xmin::text FROM pg_constraint
            UNION ALL SELECT 'trigger', oid, xmin::text FROM pg_trigger
            UNION ALL SELECT 'rule', oid, xmin::text FROM pg_rewrite WHERE ev_class IN (SELECT oid FROM own)
            UNION ALL SELECT 'policy', oid, xmin::text FROM pg_policy
            UNION ALL SELECT 'function', oid, xmin::text FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
            UNION ALL SELECT 'function', oid, xmin::text FROM pg_proc WHERE oid >= 16384 AND pronamespace = 'pg_catalog'::regnamespace
            UNION ALL SELECT 'type', oid, xmin::text FROM pg_type WHERE typnamespace = current_schema()::regnamespace
            UNION ALL SELECT 'collation', oid, xmin::text FROM pg_collation WHERE collnamespace = current_schema()::regnamespace
            UNION ALL SELECT 'operator', oid, xmin::text FROM pg_operator WHERE oprnamespace = current_schema()::regnamespace
            UNION ALL SELECT 'operator', oid, xmin::text FROM pg_operator
            WHERE oid >= 16384 AND oprnamespace = 'pg_catalog'::regnamespace
            UNION ALL SELECT 'operator class', oid, xmin::text FROM pg_opclass WHERE opcnamespace = current_schema()::regnamespace
            UNION ALL SELECT 'member', objid, concat(classid, ' ', xmin) FROM pg_depend WHERE deptype = 'e'
            UNION ALL SELECT 'event trigger', oid, xmin::text FROM pg_event_trigger
            UNION ALL SELECT 'cast', oid, xmin::text FROM pg_cast WHERE oid >= 16384
        ) AS parts
        """
}

/// Compares the schema of the database with what the migrations make.
enum PostgreSQLSchema {
    // A partition may be made or dropped between two looks at the catalogue.
    private static let attempts = 3

    /// Throws if the schema is not that of this release.
    static func requireLatest(_ transaction: Transaction) throws {
        let own = PostgreSQLMigrations.own
        try require(own.schema(own.latest, transaction), transaction)
    }

    /// Throws if the schema is not what migrations have made, besides the partitions, which the store's own rows name.
    static func require(_ made: StoreSchema, _ transaction: Transaction) throws {
        let name = "the database"
        try PostgreSQLCatalogue.schemaOutside(transaction).require(StoreSchema(), of: name)
        for attempt in 1...attempts {
            let found = try PostgreSQLCatalogue.schema("current_schema()::regnamespace", transaction)
            // First the tables that say which partitions there are, because these are read below.
            try found.divided(by: PartitionSamples.isOfRanges).matching.require(
                made.divided(by: PartitionSamples.isOfRanges).matching, of: name)
            let expected = try PartitionSamples.expand(made, transaction)
            do { return try found.require(expected, of: name) } catch { if attempt == attempts { throw error } }
        }
    }
}
