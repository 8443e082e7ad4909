import EligibilityRules
import OfferStore
import OfferStoreSQL

/// Exports the log as lines of JSON, for verification without this program.
struct PostgreSQLAuditExport {
    let transaction: Transaction
    let identity: AuditIdentity
    let body: (_ line: [UInt8]) throws -> Void

    /// Exports where tables begin, chains, rows by table, and seals. Never retried, as the output cannot be undone.
    func run() throws {
        do { try write() } catch let failure as PostgreSQLFailure {
            throw StoreError(wrapping: failure, doing: "export the audit log")
        }
    }

    private func write() throws {
        let source = PostgreSQLAuditSource(transaction, identity)
        try body(AuditExportLine.log(origin: identity.origin))
        for mark in try source.marks() { try body(AuditExportLine.table(mark)) }
        for chain in try source.chains() { try body(AuditExportLine.chain(chain)) }
        for table in AuditTable.allCases { try write(table) }
        var seals: [(number: Int64, note: String)] = []
        try source.forEachSeal(after: 0, limit: .max) { seals.append(($0, $1)) }
        for seal in seals { try body(AuditExportLine.seal(seal.number, note: seal.note)) }
    }

    private func write(_ table: AuditTable) throws {
        let names = table.chainedColumns
        let sql = """
            SELECT \(names.joined(separator: ", ")) FROM \(table.rawValue) WHERE id > $1 ORDER BY id LIMIT 5000
            """
        var last = Int64.min
        while true {
            let rows = try transaction.run(sql, .number(last))
            try rows.forEach { row in
                last = row.number(0)
                try body(
                    AuditExportLine.row(table, names, isNull: { row.isNull($0) }, append: { row.append($0, to: &$1) }))
            }
            if rows.count < 5000 { return }
        }
    }
}
