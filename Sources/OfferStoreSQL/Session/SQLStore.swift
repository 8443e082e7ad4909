package import OfferStore

/// How far a transaction is isolated from others.
package enum SQLIsolation: Sendable {
    /// All statements see the same snapshot. Read-only.
    case snapshot
    /// What was read still holds at the commit. Otherwise the database aborts the transaction, which is retried.
    case serializable
    /// Each statement sees what is durable when it begins.
    ///
    /// Use it where the rows that matter are locked when they are read.
    case latest
}

/// Runs transactions on an open database.
///
/// If the database has one writer, every write is isolated from the others anyway.
package protocol SQLStore: Sendable {
    associatedtype Transaction: SQLTransaction
    associatedtype Audit: SQLAuditWriter<Transaction>

    /// How many rows a search reads before others get their turn.
    var rowsPerSlice: Int64 { get }

    /// The identity of the audit log, in a store that has one.
    var auditIdentity: AuditIdentity { get }

    /// Looks something up: reads a few rows by an index, beside the writers.
    func read<Value: Sendable>(_ purpose: String, _ body: @escaping @Sendable (Transaction) throws -> Value)
        async throws(StoreError) -> Value

    /// Reads what a process must know before a revocation takes effect in it, and waits for no other read.
    func readUrgently<Value: Sendable>(_ purpose: String, _ body: @escaping @Sendable (Transaction) throws -> Value)
        async throws(StoreError) -> Value

    /// Runs a read of many rows. It waits for other scans, and delays no other read.
    func scan<Value: Sendable>(_ purpose: String, _ body: @escaping @Sendable (Transaction) throws -> Value)
        async throws(StoreError) -> Value

    /// Runs a write in its own transaction. Calls `body` again after a conflict with another process.
    func write<Value: Sendable>(
        _ purpose: String,
        _ isolation: SQLIsolation,
        _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws(StoreError) -> Value

    /// Runs a write that the audit log records.
    func writeAudited<Value: Sendable>(
        _ purpose: String,
        _ isolation: SQLIsolation,
        _ body: @escaping @Sendable (Transaction, Audit) throws -> Value
    ) async throws(StoreError) -> Value

    /// Creates a queue of group commits.
    ///
    /// - Parameters:
    ///   - purpose: the purpose of the writes, for error messages.
    ///   - write: writes the submissions of several callers in a transaction. Called again after a conflict with another process.
    func groupCommit<Submission, Outcome>(
        _ purpose: String,
        _ isolation: SQLIsolation,
        maxPerBatch: Int,
        write: @escaping @Sendable ([[Submission]], Transaction) throws -> [[Outcome]]
    ) -> GroupCommit<Submission, Outcome>
}
