import EligibilityRules
import GRDB
import OfferStore
import OfferStoreSQL

/// Exports the log as lines of JSON, for verification without this program.
struct SQLiteAuditExport {
    let database: Database
    let origin: String
    let body: (_ line: [UInt8]) throws -> Void

    /// Exports where tables begin, chains, rows by table, and seals.
    func run() throws {
        try body(AuditExportLine.log(origin: origin))
        for mark in try AuditTableMark.all(database) { try body(AuditExportLine.table(mark)) }
        for chain in try AuditChain.all(database) {
            try body(AuditExportLine.chain(chain))
        }
        for table in AuditTable.allCases { try write(table) }
        let seals = try PreparedStatement(database, "SELECT number, note FROM audit_head ORDER BY number")
        defer { seals.reset() }
        while try seals.step() { try body(AuditExportLine.seal(seals.number(0), note: seals.text(1))) }
    }

    private func write(_ table: AuditTable) throws {
        let names = table.chainedColumns
        let rows = try PreparedStatement(
            database, "SELECT \(names.joined(separator: ", ")) FROM \(table.rawValue) ORDER BY id")
        defer { rows.reset() }
        while try rows.step() {
            try body(
                AuditExportLine.row(table, names, isNull: { rows.isNull($0) }, append: { rows.append($0, to: &$1) }))
        }
    }
}
