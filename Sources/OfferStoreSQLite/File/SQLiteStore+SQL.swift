package import GRDB
package import OfferStore
package import OfferStoreSQL

/// Every write is isolated, as a file has one writer.
extension SQLiteStore: SQLStore {
    package var auditIdentity: AuditIdentity { audit!.identity }

    package func write<Value: Sendable>(
        _ purpose: String,
        _: SQLIsolation,
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        try await write(purpose, body)
    }

    package func writeAudited<Value: Sendable>(
        _ purpose: String,
        _: SQLIsolation,
        _ body: @escaping @Sendable (Database, AuditWriter) throws -> Value
    ) async throws(StoreError) -> Value {
        try await write(purpose) { [audit = audit!] in try body($0, audit) }
    }

    package func groupCommit<Submission, Outcome>(
        _ purpose: String,
        _: SQLIsolation,
        maxPerBatch: Int,
        write: @escaping @Sendable ([[Submission]], Database) throws -> [[Outcome]]
    ) -> GroupCommit<Submission, Outcome> {
        groupCommit(purpose, maxPerBatch: maxPerBatch) { jobs, database, _ in try write(jobs, database) }
    }
}

extension AuditWriter: SQLAuditWriter {
    package var functions: AuditFunctions { identity.functions }
}
