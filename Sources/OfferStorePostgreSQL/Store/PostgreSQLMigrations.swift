import OfferStore
import OfferStoreSQL
import Synchronization

/// Brings a schema up to date, one version after another, and knows what each version is.
final class PostgreSQLMigrations: Sendable {
    /// Until 0.1.0 is released the base schema is changed in place. Released versions never change.
    static let own = PostgreSQLMigrations([PostgreSQLTables.all])

    private static let versionTable = "CREATE TABLE IF NOT EXISTS schema_version (version int8 NOT NULL)"

    /// The statements that lead to each version.
    private let versions: [[String]]
    /// The schema of each version, as far as this process has needed it.
    private let known = Mutex<[Int: StoreSchema]>([:])

    /// The number of the last version.
    var latest: Int { versions.count }

    /// - Parameter versions: the statements that lead to each version.
    init(_ versions: [[String]]) { self.versions = versions }

    /// Brings the schema up to date, and returns whether it had no store.
    ///
    /// Throws if the schema is not what the migrations make. Then nothing is written.
    @discardableResult
    func run(_ transaction: Transaction) throws -> Bool {
        guard try transaction.run("SELECT current_schema()").first({ !$0.isNull(0) }) ?? false else {
            throw StoreError(.unsuitable, "none of the schemas in the database's search_path exists; create one")
        }
        // Another process may be migrating.
        transaction.waitLong()
        try transaction.enqueue("SET LOCAL lock_timeout = 590000")
        _ = try transaction.run(Self.versionTable)
        // Processes that start together wait for each other here.
        _ = try transaction.run("LOCK TABLE schema_version IN EXCLUSIVE MODE")
        let version = try transaction.run("SELECT version FROM schema_version").first { Int($0.number(0)) }
        guard version ?? 0 <= latest else {
            throw StoreError(
                .newerSchema,
                "the database's schema is of a newer or an unreleased build (\(version!), this one knows \(latest)); use that one, or "
                    + "begin with an empty database")
        }
        if let version { try PostgreSQLSchema.require(schema(version, transaction), transaction) }
        guard version != latest else { return false }
        // While the migration waits for a long read, all signatures wait behind it. It is better that it fails and is started
        // again.
        try transaction.enqueue("SET LOCAL lock_timeout = 5000")
        for statement in versions[(version ?? 0)...].joined() { transaction.enqueue(SQLStatement(statement)) }
        try transaction.enqueue("DELETE FROM schema_version")
        try transaction.enqueue("INSERT INTO schema_version VALUES ($1)", .number(Int64(latest)))
        try PostgreSQLSchema.require(schema(latest, transaction), transaction)
        return version == nil
    }

    /// Returns what the migrations up to a version make.
    ///
    /// - Parameter version: in a transaction that only reads, a version that this process has asked for before.
    func schema(_ version: Int, _ transaction: Transaction) throws -> StoreSchema {
        if let schema = known.withLock({ $0[version] }) { return schema }
        let schema = try make(version, transaction)
        known.withLock { $0[version] = schema }
        return schema
    }

    /// Runs the migrations among the temporary tables, reads the schema that they make, and rolls them back.
    private func make(_ version: Int, _ transaction: Transaction) throws -> StoreSchema {
        let name = try transaction.run("SELECT quote_ident(current_schema())").first { $0.text(0) }!
        try transaction.enqueue("SAVEPOINT without_expected")
        // Functions that triggers call are looked up in the store's schema only, which is compared with what they should be.
        try transaction.enqueue("SET LOCAL search_path = pg_temp, \(name)")
        transaction.enqueue(SQLStatement(Self.versionTable))
        for statement in versions[..<version].joined() { transaction.enqueue(SQLStatement(statement)) }
        do {
            try PartitionSamples.make(transaction)
            let schema = try PostgreSQLCatalogue.schema("pg_my_temp_schema()", transaction)
            try transaction.enqueue("ROLLBACK TO SAVEPOINT without_expected")
            return schema
        } catch let failure as PostgreSQLFailure where failure.isOfPrivilege {
            throw StoreError(
                .unsuitable,
                "the schema cannot be compared, as this role may not make temporary tables: GRANT TEMPORARY ON DATABASE … TO …")
        } catch let failure as PostgreSQLFailure where failure.isOfMissingFunction {
            throw StoreError(
                .schemaChanged, "the database lacks a function that triggers call (\(failure.message)); restore a backup")
        }
    }
}
