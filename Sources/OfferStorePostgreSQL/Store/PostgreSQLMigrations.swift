import OfferStore

/// Migrates a schema, one version after another.
enum PostgreSQLMigrations {
    /// The statements that lead to each version. Released versions never change.
    static let versions = [
        histories + signing + limits + console, replicas, copies, events, figures, activity, segments, refunds,
        partitions, decisions,
    ]

    static let versionTable = "CREATE TABLE IF NOT EXISTS schema_version (version int8 NOT NULL)"

    /// Returns whether the schema had no store. Throws if the schema is not what the migrations make; then nothing is written.
    @discardableResult
    static func run(_ transaction: Transaction) throws -> Bool {
        guard try transaction.run("SELECT current_schema()").first({ !$0.isNull(0) }) ?? false else {
            throw StoreError(.unsuitable, "none of the schemas in the database's search_path exists; create one")
        }
        // Another process may be migrating.
        transaction.waitLong()
        transaction.enqueue(Statement("SET LOCAL lock_timeout = 590000"))
        _ = try transaction.run(versionTable)
        // Processes that start together wait for each other here.
        _ = try transaction.run("LOCK TABLE schema_version IN EXCLUSIVE MODE")
        let version = try transaction.run("SELECT version FROM schema_version").first { Int($0.number(0)) }
        guard version ?? 0 <= versions.count else {
            throw StoreError(
                .newerSchema, "the database's schema is of a newer release (\(version!), this one knows \(versions.count))")
        }
        if let version { try PostgreSQLSchema.require(version, transaction) }
        guard version != versions.count else { return false }
        // While this waits for a long reader, all signatures wait behind it: better fail, and be started again.
        transaction.enqueue(Statement("SET LOCAL lock_timeout = 5000"))
        for statement in versions[(version ?? 0)...].joined() { transaction.enqueue(Statement(statement)) }
        transaction.enqueue(Statement("DELETE FROM schema_version"))
        transaction.enqueue(Statement("INSERT INTO schema_version VALUES ($1)", [.number(Int64(versions.count))]))
        try PostgreSQLSchema.require(versions.count, transaction)
        return version == nil
    }
}
