import FoundationEssentials
import GRDB
import OfferStore

extension AuditWriter {
    /// Takes what is personal out of every row of an app in which one of these ids stands, and keeps its digest in its place.
    ///
    /// Returns how many rows that were.
    func erase(_ ids: Set<String>, bundleID: String, _ database: Database) throws -> Int {
        try database.execute(sql: "CREATE TEMP TABLE IF NOT EXISTS erased_id (id TEXT PRIMARY KEY)")
        for id in ids where !id.isEmpty {
            try database.execute(sql: "INSERT INTO erased_id VALUES (?)", arguments: [id])
        }
        var count = 0
        for table in AuditTable.allCases { count += try erase(in: table, bundleID, database) }
        try database.execute(sql: "DELETE FROM erased_id")
        return count
    }

    private func erase(in table: AuditTable, _ bundleID: String, _ database: Database) throws -> Int {
        let personal = table.personalColumns
        var matches = personal.map { "\($0) IN (SELECT id FROM erased_id)" }
        if let list = table.list {
            matches.append(
                "EXISTS (SELECT 1 FROM json_each(\(list.name)) WHERE value ->> \(list.publicFields) IN (SELECT id FROM erased_id))"
            )
        }
        let rows = try Int64.fetchAll(
            database,
            sql: "SELECT id FROM \(table.rawValue) WHERE bundle_id IN (?, ?) AND (\(matches.joined(separator: " OR ")))",
            arguments: [bundleID, bundleID.inSandbox])
        for id in rows { try erase(row: id, of: table, database) }
        return rows.count
    }

    private func erase(row id: Int64, of table: AuditTable, _ database: Database) throws {
        var digest: Data?
        let source = SQLiteAuditSource(database: database, keyed: identity.keyed)
        try source.forEachRow(of: table, id: id) { _, chain, _, row in
            digest = chain == nil ? nil : row?.personalDigest?.data
        }
        let changes = table.personalColumns.map { "\($0) = NULL" } + ["personal_digest = coalesce(personal_digest, ?)"]
        try database.execute(
            sql: "UPDATE \(table.rawValue) SET \(changes.joined(separator: ", ")) WHERE id = ?", arguments: [digest, id])
        guard let list = table.list else { return }
        let text = try String.fetchOne(
            database, sql: "SELECT \(list.name) FROM \(table.rawValue) WHERE id = ?", arguments: [id])
        let rest = Array((text ?? "").utf8).withUnsafeBytes {
            AuditRowEncoder.publicPart(of: $0, publicFields: list.publicFields)
        }
        try database.execute(
            sql: "UPDATE \(table.rawValue) SET \(list.name) = ? WHERE id = ?",
            arguments: [String(decoding: rest, as: UTF8.self), id])
    }
}

extension AuditTable {
    fileprivate var personalColumns: [String] {
        columns.filter { $0.kind.isPersonal }.map(\.name)
    }

    /// The column with a list of offers, and how many texts of each are not personal.
    fileprivate var list: (name: String, publicFields: Int)? {
        for column in columns {
            if case .list(let count) = column.kind { return (column.name, count) }
        }
        return nil
    }
}
