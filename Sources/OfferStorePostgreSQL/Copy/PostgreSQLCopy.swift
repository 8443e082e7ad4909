import EligibilityRules
package import OfferStore
import OfferStoreSQL

/// Copies another store into an empty schema, in one transaction, all or nothing.
package struct PostgreSQLCopy {
    private static let rowsPerReport = 100_000
    private static let rowsPerPage = 2000

    private let transaction: Transaction
    private let source: any CopySourceRows
    private let report: (_ table: String, _ rows: Int) -> Void
    private let hash: SipHash
    private let audit: (functions: AuditFunctions, trust: AuditTrust)

    /// Copies the store, and verifies the copy by reading it back. Returns the number of rows.
    ///
    /// Throws, and writes nothing, if the schema already has a store, a row cannot be copied, the copy differs, or its audit log
    /// does not verify.
    ///
    /// - Parameters:
    ///   - address: a connection string or URI of libpq.
    ///   - audit: verifies the audit log of the copy.
    ///   - report: called after every 100 000 rows of a table.
    package static func run(
        _ source: some CopySource,
        to address: String,
        audit: (functions: AuditFunctions, trust: AuditTrust),
        report: @escaping (_ table: String, _ rows: Int) -> Void
    ) throws(StoreError) -> Int {
        let thread = SessionThread(address, label: "postgresql.copy")
        defer { thread.close() }
        return try thread.sync { thread throws(StoreError) in
            try thread.transaction("copy the store", .latest, maxAttempts: 1) { transaction in
                guard try PostgreSQLMigrations.own.run(transaction) else {
                    throw StoreError(
                        .unsuitable,
                        "\(PostgreSQLStore.name(of: address)) has a store in it; make an empty database or schema for the copy")
                }
                transaction.waitLong()
                // The session is idle while the source is read.
                try transaction.enqueue("SET LOCAL idle_in_transaction_session_timeout = 0")
                let key = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
                return try source.read { rows in
                    try PostgreSQLCopy(
                        transaction: transaction, source: rows, report: report, hash: SipHash(key: key), audit: audit
                    ).run()
                }
            }
        }
    }

    private func run() throws -> Int {
        var count = 0
        for table in try CopiedTable.all(transaction) {
            let (written, found) = (try write(table), try read(table))
            guard written == found else {
                throw StoreError(
                    .damaged,
                    "\(table.name): \(written.count) rows were written, and the \(found.count) that are read back are not the same"
                )
            }
            count += written.count
        }
        try advanceNumbers()
        // The first partition has all nonces so far, none of which was issued after it was used.
        try transaction.enqueue(
            "UPDATE nonce_range SET until_day = (SELECT coalesce(max(signed_at) / \(Instant.day), 0) + 1 FROM signed_request)")
        try verify()
        try source.retire()
        return count
    }

    private func write(_ table: CopiedTable) throws -> CopiedRows {
        // Some tables have a row from the start.
        try transaction.enqueue("DELETE FROM \(table.name)")
        var (batch, written) = (CopiedRowBatch(table), CopiedRows(hash))
        try source.forEachRow(of: table) { row in
            try batch.append(row, transaction)
            written.add(row)
            if written.count.isMultiple(of: Self.rowsPerReport) { report(table.name, written.count) }
        }
        try batch.insert(transaction)
        return written
    }

    private func read(_ table: CopiedTable) throws -> CopiedRows {
        let cursor = "copied_\(table.name)"
        try transaction.enqueue("DECLARE \(cursor) NO SCROLL CURSOR FOR SELECT \(table.columnList) FROM \(table.name)")
        var found = CopiedRows(hash)
        while true {
            let rows = try transaction.run("FETCH \(Self.rowsPerPage) FROM \(cursor)")
            rows.forEach { row in
                found.add(table.columns.indices.map { CopiedValue(row, Int32($0), table.columns[$0].kind) })
            }
            if rows.count < Self.rowsPerPage { break }
        }
        try transaction.enqueue("CLOSE \(cursor)")
        return found
    }

    /// Makes the database's identity columns continue after the copied rows.
    private func advanceNumbers() throws {
        let columns = try transaction.run(
            """
            SELECT table_name::text, column_name::text FROM information_schema.columns
            WHERE table_schema = current_schema() AND is_identity = 'YES'
            """
        ).map { (table: $0.text(0), column: $0.text(1)) }
        _ = try transaction.run(
            columns.map { table, column in
                let last = "SELECT coalesce(max(\(column)), 0) + 1 FROM \(table)"
                return SQLStatement("SELECT setval(pg_get_serial_sequence('\(table)', '\(column)'), (\(last)), false)")
            })
    }

    /// Throws if the audit log does not verify.
    private func verify() throws {
        let identity = try AuditIdentity(audit.functions) { try transaction.secret(named: "audit", make: $0) }
        let report = try AuditVerification.run(
            PostgreSQLAuditSource(transaction, identity), origin: identity.origin, trust: audit.trust, heads: [],
            audit.functions)
        if let fault = report.faults.first { throw StoreError(.damaged, "the audit log of the copy: \(fault)") }
    }
}
