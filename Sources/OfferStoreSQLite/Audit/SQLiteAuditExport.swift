import EligibilityRules
import GRDB
import OfferStore
import WireText

/// Writes the log as lines of JSON: what a verification reads, for somebody who has not this program.
struct SQLiteAuditExport {
    let database: Database
    let origin: String
    let body: (_ line: [UInt8]) throws -> Void

    /// Where tables begin, chains, rows by table, seals.
    func run() throws {
        try body(AuditExportLine.log(origin: origin))
        for mark in try AuditTableMark.all(database) { try body(AuditExportLine.table(mark)) }
        for chain in try Row.fetchAll(database, sql: "SELECT * FROM audit_chain ORDER BY number").map(AuditChain.init) {
            try body(AuditExportLine.chain(chain))
        }
        for table in AuditTable.allCases { try write(table) }
        let seals = try PreparedStatement(database, "SELECT number, note FROM audit_head ORDER BY number")
        defer { seals.reset() }
        while try seals.step() { try body(AuditExportLine.seal(seals.number(0), note: seals.text(1))) }
    }

    private func write(_ table: AuditTable) throws {
        let columns = table.columns
        let names = ["id", "chain", "link", "personal_digest"] + columns.map(\.name)
        let rows = try PreparedStatement(
            database, "SELECT \(names.joined(separator: ", ")) FROM \(table.rawValue) ORDER BY id")
        defer { rows.reset() }
        while try rows.step() {
            try line { json in
                json.append(raw: #"{"type":"row","table":"#)
                json.append(table.rawValue)
                for (index, name) in names.enumerated() where !rows.isNull(Int32(index)) {
                    json.append(raw: ",")
                    json.append(name)
                    json.append(raw: ":")
                    rows.append(Int32(index), to: &json)
                }
                json.append(raw: "}")
            }
        }
    }

    private func line(_ write: (inout JSONWriter) throws -> Void) throws { try body(try JSONWriter.bytes(write)) }
}
