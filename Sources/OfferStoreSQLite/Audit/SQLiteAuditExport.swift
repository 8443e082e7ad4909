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
        try line { json in
            json.append(raw: #"{"type":"log","origin":"#)
            json.append(origin)
            json.append(raw: "}")
        }
        for mark in try AuditTableMark.all(database) {
            try line { json in
                json.append(raw: #"{"type":"table","table":"#)
                json.append(mark.table.rawValue)
                json.append(raw: #","unchained":"#)
                json.append(mark.unchained)
                json.append(raw: #","removed":"#)
                json.append(mark.removed)
                json.append(raw: "}")
            }
        }
        for chain in try Row.fetchAll(database, sql: "SELECT * FROM audit_chain ORDER BY number").map(AuditChain.init) {
            try write(chain)
        }
        for table in AuditTable.allCases { try write(table) }
        let seals = try PreparedStatement(database, "SELECT number, note FROM audit_head ORDER BY number")
        defer { seals.reset() }
        while try seals.step() {
            try line { json in
                json.append(raw: #"{"type":"seal","number":"#)
                json.append(seals.number(0))
                json.append(raw: #","note":"#)
                json.append(seals.text(1))
                json.append(raw: "}")
            }
        }
    }

    private func write(_ chain: AuditChain) throws {
        try line { json in
            json.append(raw: #"{"type":"chain","number":"#)
            json.append(chain.number)
            json.append(raw: #","table":"#)
            json.append(chain.table.rawValue)
            json.append(raw: #","id":"#)
            json.append(Hexadecimal.encode(chain.id))
            json.append(raw: #","writer":"#)
            json.append(Hexadecimal.encode(chain.writer))
            json.append(raw: #","openedAt":"#)
            json.append(chain.openedAt.milliseconds)
            if let removed = chain.removed {
                json.append(raw: #","removedRows":"#)
                json.append(removed.rows)
                json.append(raw: #","removedLink":"#)
                json.append(Hexadecimal.encode(removed.link.bytes))
            }
            json.append(raw: "}")
        }
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
