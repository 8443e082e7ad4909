import EligibilityRules
import FoundationEssentials
import GRDB
import OfferStore

/// Takes what is personal of some ids out of the log: looked for beside the writer, a slice at a time, so that no signature waits for it.
struct AuditErasure: Sendable {
    private static let slice: Int64 = 50_000

    private struct Kept: Hashable, Sendable {
        let limit: Int64
        let until: Int64
        let id: Data
    }

    let store: SQLiteStore
    let audit: AuditWriter
    let ids: Set<String>
    let bundleID: String

    /// Returns how many rows there were. They and the event are one transaction.
    func run(_ event: AuditEvent) async throws(StoreError) -> Int {
        var (found, ends): ([AuditTable: [Int64]], [AuditTable: Int64]) = ([:], [:])
        for table in AuditTable.allCases { (found[table], ends[table]) = try await look(through: table) }
        let kept = try await store.read("look for kept signatures") { [self, found] in
            try self.kept(found[.signatures] ?? [], $0)
        }
        return try await store.write("erase what is personal") { [self, found, ends] database in
            try database.execute(sql: "PRAGMA secure_delete = ON")
            defer { try? database.execute(sql: "PRAGMA secure_delete = OFF") }
            var (count, kept) = (0, kept)
            for table in AuditTable.allCases {
                // What has come meanwhile.
                let late = try table.numbers(naming: ids, bundleID: bundleID, ends[table]!..<Int64.max, database)
                if table == .signatures, !late.isEmpty { kept.formUnion(try self.kept(late, database)) }
                for row in found[table]! + late where try exists(row, in: table, database) {
                    try audit.erase(row: row, of: table, database)
                    count += 1
                }
            }
            for use in kept {
                try database.execute(
                    sql: "UPDATE offer_use SET kept = NULL WHERE limit_key = ? AND until = ? AND id = ?",
                    arguments: [use.limit, use.until, use.id])
            }
            try audit.insert([event], database)
            return count
        }
    }

    /// The rows that name one of the ids, and the first row that was not looked at.
    private func look(through table: AuditTable) async throws(StoreError) -> (rows: [Int64], end: Int64) {
        let purpose = "look for what is personal"
        let (first, end) = try await store.read(purpose) { database in
            let ends = try Row.fetchOne(database, sql: "SELECT min(id), max(id) FROM \(table.rawValue)")!
            return ((ends[0] as Int64?) ?? 0, ((ends[1] as Int64?) ?? -1) + 1)
        }
        var rows: [Int64] = []
        var start = first
        while start < end {
            let part = start..<min(end, start + Self.slice)
            rows += try await store.read(purpose) { [self] in
                try table.numbers(naming: ids, bundleID: bundleID, part, $0)
            }
            start = part.upperBound
        }
        return (rows, end)
    }

    // Retention may have taken it since.
    private func exists(_ row: Int64, in table: AuditTable, _ database: Database) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM \(table.rawValue) WHERE id = ?)"), arguments: [row])!
    }

    /// The signatures of some rows that are kept to be given again.
    private func kept(_ rows: [Int64], _ database: Database) throws -> Set<Kept> {
        var nonces: Set<Data> = []
        for row in rows {
            let bytes = try Data.fetchOne(
                database.cachedStatement(sql: "SELECT nonces FROM signed_request WHERE id = ?"), arguments: [row])
            var rest = bytes ?? Data()
            while rest.count >= LedgerSignature.nonceLength {
                nonces.insert(Data(rest.prefix(LedgerSignature.nonceLength)))
                rest = rest.dropFirst(LedgerSignature.nonceLength)
            }
        }
        guard !nonces.isEmpty else { return [] }
        let cursor = try Row.fetchCursor(
            database, sql: "SELECT limit_key, until, id FROM offer_use WHERE kept IS NOT NULL")
        var kept: Set<Kept> = []
        while let row = try cursor.next() {
            let use = Kept(limit: row[0], until: row[1], id: row[2])
            if nonces.contains(use.id) { kept.insert(use) }
        }
        return kept
    }
}
