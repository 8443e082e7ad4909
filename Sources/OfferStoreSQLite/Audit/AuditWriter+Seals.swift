import EligibilityRules
import FoundationEssentials
import GRDB
import OfferStore
import OfferStoreSQL

extension AuditWriter {
    /// Seals what is new, in the current transaction. Returns nil if nothing is new or there is no key.
    func seal(at now: Instant, _ database: Database) throws -> String? {
        guard let signer = currentSigner else { return nil }
        return try state.sealing.seal(state.chains, in: SQLiteSealRows(database: database), with: signer, at: now)
    }

    /// Whether rows may be removed now. Once seals exist, a removal needs a seal, and thus a key.
    func mayRemove(_ database: Database) throws -> Bool {
        if currentSigner != nil { return true }
        return try !Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM audit_head)")!
    }

    /// Notes and seals the removal of a table's rows up to an id. Call it before the removal, in the same transaction.
    func remove(_ table: AuditTable, upTo id: Int64, _ database: Database) throws {
        let rows = try Row.fetchAll(
            database,
            sql: "SELECT chain, count(*), max(id) FROM \(table.rawValue) WHERE id <= ? GROUP BY chain",
            arguments: [id])
        for row in rows {
            let (number, count, last) = (row[0] as Int64, row[1] as Int64, row[2] as Int64)
            let link = try Data.fetchOne(database, sql: "SELECT link FROM \(table.rawValue) WHERE id = ?", arguments: [last])
            let chain = try database.run(
                """
                UPDATE audit_chain SET removed_rows = removed_rows + $1, removed_row = $2, removed_link = $3 WHERE number = $4
                RETURNING \(AuditChain.columns)
                """, .number(count), .number(last), .bytes(link.map { Array($0) }), .number(number)
            ).first { try AuditChain($0) }
            guard let chain, let removed = chain.removed else {
                throw StoreError(.damaged, "a row belongs to a chain that does not exist")
            }
            state.sealing.didRemove(removed, of: chain)
        }
        try database.execute(sql: "UPDATE audit_table SET removed = ? WHERE name = ?", arguments: [id, table.rawValue])
        let now = try Int64.fetchOne(database, sql: "SELECT seen_at FROM clock") ?? 0
        _ = try seal(at: Instant(milliseconds: now), database)
    }
}

/// The reads and writes of sealing in SQLite, within its transaction.
private struct SQLiteSealRows: AuditSealRows {
    let database: Database

    func chains() throws -> [AuditChain] { try AuditChain.all(database) }

    func latestSeal() throws -> (number: Int64, note: String)? {
        try Row.fetchOne(database, sql: "SELECT number, note FROM audit_head ORDER BY number DESC LIMIT 1").map { ($0[0], $0[1]) }
    }

    func seal(_ number: Int64) throws -> String? {
        try String.fetchOne(database, sql: "SELECT note FROM audit_head WHERE number = ?", arguments: [number])
    }

    func lastRow(of table: AuditTable, chain: Int64, from id: Int64) throws -> (id: Int64, link: AuditLink)? {
        let sql = "SELECT id, link FROM \(table.rawValue) WHERE id >= ? AND chain = ? ORDER BY id DESC LIMIT 1"
        guard let row = try Row.fetchOne(database, sql: sql, arguments: [id, chain]) else { return nil }
        return AuditLink(Array(row[1] as Data)).map { (row[0], $0) }
    }

    func lastRemoved(of chain: AuditChain) throws -> Int64 {
        try Int64.fetchOne(
            database, sql: "SELECT removed FROM audit_table WHERE name = ?", arguments: [chain.table.rawValue]) ?? 0
    }

    func marks() throws -> [AuditTableMark] { try AuditTableMark.all(database) }

    func insert(_ seal: AuditSeal, note: String) throws {
        try database.execute(
            sql: "INSERT INTO audit_head (number, writer, sealed_at, note) VALUES (?, ?, ?, ?)",
            arguments: [seal.number, seal.writer.data, seal.sealedAt.milliseconds, note])
    }
}

extension AuditTableMark {
    /// The marks of all tables.
    static func all(_ database: Database) throws -> [AuditTableMark] {
        try Row.fetchAll(database, sql: "SELECT name, removed FROM audit_table ORDER BY name").compactMap { row in
            AuditTable(rawValue: row[0]).map { AuditTableMark(table: $0, removed: row[1]) }
        }
    }
}
