import OfferStore
import Synchronization

/// The schema that the migrations make in the database.
enum PostgreSQLSchema {
    // A partition may be made or dropped between two looks at the catalogue.
    private static let attempts = 3

    /// What each version's migrations make, as this process has found out.
    private static let known = Mutex<[Int: StoreSchema]>([:])

    /// Throws if the schema is not what the migrations up to a version make.
    ///
    /// - Parameter version: one that this process has required before, if the transaction only reads.
    static func require(_ version: Int, _ transaction: Transaction) throws {
        let name = "the database"
        try PostgreSQLCatalogue.schemaOutside(transaction).require(StoreSchema(), of: name)
        let made = try made(by: version, transaction)
        for attempt in 1...attempts {
            let found = try PostgreSQLCatalogue.schema("current_schema()::regnamespace", transaction)
            // What says which partitions there are is read below.
            try found.divided(by: PartitionSamples.isOfRanges).matching.require(
                made.divided(by: PartitionSamples.isOfRanges).matching, of: name)
            let expected = try PartitionSamples.isMade(by: version) ? PartitionSamples.expand(made, transaction) : made
            do { return try found.require(expected, of: name) } catch { if attempt == attempts { throw error } }
        }
    }

    private static func made(by version: Int, _ transaction: Transaction) throws -> StoreSchema {
        if let schema = known.withLock({ $0[version] }) { return schema }
        let schema = try make(version, transaction)
        known.withLock { $0[version] = schema }
        return schema
    }

    /// Runs the migrations among the temporary tables, reads what they made, and rolls it back.
    private static func make(_ version: Int, _ transaction: Transaction) throws -> StoreSchema {
        let name = try transaction.run("SELECT quote_ident(current_schema())").first { $0.text(0) }!
        transaction.enqueue(Statement("SAVEPOINT without_expected"))
        // Functions that triggers call are looked up in the store's schema only, which is compared with what they should be.
        transaction.enqueue(Statement("SET LOCAL search_path = pg_temp, \(name)"))
        transaction.enqueue(Statement(PostgreSQLMigrations.versionTable))
        for statement in PostgreSQLMigrations.versions[..<version].joined() { transaction.enqueue(Statement(statement)) }
        do {
            if PartitionSamples.isMade(by: version) { try PartitionSamples.make(transaction) }
            let schema = try PostgreSQLCatalogue.schema("pg_my_temp_schema()", transaction)
            transaction.enqueue(Statement("ROLLBACK TO SAVEPOINT without_expected"))
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
