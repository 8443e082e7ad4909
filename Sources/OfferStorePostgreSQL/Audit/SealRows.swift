import EligibilityRules
import OfferStore
import OfferStoreSQL

/// The reads and writes of sealing in PostgreSQL, within its transaction.
struct SealRows: AuditSealRows {
    let transaction: Transaction

    func chains() throws -> [AuditChain] { try AuditChain.all(transaction) }

    func latestSeal() throws -> (number: Int64, note: String)? {
        try transaction.run("SELECT number, note FROM audit_head ORDER BY number DESC LIMIT 1").first {
            ($0.number(0), $0.text(1))
        }
    }

    func seal(_ number: Int64) throws -> String? {
        try transaction.run("SELECT note FROM audit_head WHERE number = $1", .number(number)).first { $0.text(0) }
    }

    func lastRow(of table: AuditTable, chain: Int64, from id: Int64) throws -> (id: Int64, link: AuditLink)? {
        let sql = """
            SELECT id, link FROM \(table.rawValue) WHERE id >= $1 AND id < ($2 + 1) << \(ChainedRow.placeBits) AND chain = $2 ORDER BY id DESC LIMIT 1
            """
        return try transaction.run(sql, .number(id), .number(chain)).first { row in
            AuditLink(row.bytes(1)).map { (row.number(0), $0) }
        } ?? nil
    }

    func lastRemoved(of chain: AuditChain) throws -> Int64 {
        try transaction.run("SELECT removed_row FROM audit_chain WHERE number = $1", .number(chain.number))
            .first { $0.optionalNumber(0) ?? 0 } ?? 0
    }

    func marks() throws -> [AuditTableMark] { try AuditTableMark.all(transaction) }

    func insert(_ seal: AuditSeal, note: String) throws {
        try transaction.enqueue(
            "INSERT INTO audit_head (number, writer, sealed_at, note) VALUES ($1, $2, $3, $4)", .number(seal.number),
            .bytes(seal.writer), .instant(seal.sealedAt), .text(note))
    }
}

extension AuditTableMark {
    /// The marks of a copied store. In other stores every row has a chain, which records what retention removed.
    static func all(_ transaction: Transaction) throws -> [AuditTableMark] {
        let copied = try transaction.run("SELECT name, removed FROM audit_table").map { row in
            AuditTable(rawValue: row.text(0)).map { AuditTableMark(table: $0, removed: row.number(1)) }
        }
        return AuditTable.allCases.map { table in
            copied.lazy.compactMap(\.self).first { $0.table == table } ?? AuditTableMark(table: table, removed: 0)
        }
    }
}
