import EligibilityRules
import GRDB
import OfferStore

/// What a verification reads, from one snapshot.
final class SQLiteAuditSource: AuditSource {
    let database: Database
    let keyed: AuditFunctions.Digest
    let isDense = true
    private var nonces = NonceSeriesCheck()

    init(database: Database, keyed: @escaping AuditFunctions.Digest) {
        self.database = database
        self.keyed = keyed
    }

    func chains() throws -> [AuditChain] {
        try Row.fetchAll(database, sql: "SELECT * FROM audit_chain ORDER BY number").map(AuditChain.init)
    }

    func marks() throws -> [AuditTableMark] { try AuditTableMark.all(database) }

    func forEachSeal(after number: Int64, limit: Int64, _ body: (_ number: Int64, _ note: String) -> Void) throws {
        let statement = try PreparedStatement(
            database, "SELECT number, note FROM audit_head WHERE number > ? ORDER BY number LIMIT ?")
        statement.bind(number, at: 1)
        statement.bind(limit, at: 2)
        defer { statement.reset() }
        while try statement.step() { body(statement.number(0), statement.text(1)) }
    }

    func lastRow(of table: AuditTable) throws -> Int64 {
        try Int64.fetchOne(database, sql: "SELECT max(id) FROM \(table.rawValue)") ?? 0
    }

    func nonceFault() throws -> AuditFault? { try nonces.fault(database) }

    func nonceFault(of rows: ClosedRange<Int64>) throws -> AuditFault? { try NonceSeriesCheck.lost(rows, database) }

    func decisionFault() throws -> AuditFault? { try DecisionCheck(database: database).fault() }

    func forEachRow(
        of table: AuditTable,
        _ ids: ClosedRange<Int64>,
        limit: Int64,
        _ body: (_ id: Int64, _ chain: Int64?, _ link: UnsafeRawBufferPointer, _ row: AuditRowEncoder?) throws -> Void
    ) throws {
        let columns = table.columns
        let names = ["id", "chain", "link", "personal_digest"] + columns.map(\.name)
        let statement = try PreparedStatement(
            database,
            "SELECT \(names.joined(separator: ", ")) FROM \(table.rawValue) WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?")
        statement.bind(ids.lowerBound, at: 1)
        statement.bind(ids.upperBound, at: 2)
        statement.bind(limit, at: 3)
        defer { statement.reset() }
        let row = AuditRowEncoder()
        // In the order of `columns`, behind four others.
        let nonceColumn = columns.firstIndex { $0.name == "nonces" }.map { Int32($0 + 4) }
        while try statement.step() {
            let id = statement.number(0)
            row.begin(table, id: id)
            for index in columns.indices {
                let column = Int32(index + 4)
                if column == nonceColumn {
                    statement.withBytes(column) { bytes in
                        nonces.take(bytes, row: id)
                        row.append(bytes)
                    }
                } else {
                    append(columns[index].kind, statement, column, to: row)
                }
            }
            var isWhole = true
            if statement.isNull(3) {
                row.finish(keyed)
            } else {
                isWhole = statement.withBytes(3) { row.finish(erased: $0) }
            }
            let chain = statement.isNull(1) ? nil : statement.number(1)
            try statement.withBytes(2) { link in try body(id, chain, link, isWhole ? row : nil) }
        }
    }

    private func append(_ kind: AuditColumn.Kind, _ statement: PreparedStatement, _ column: Int32, to row: AuditRowEncoder) {
        switch kind {
        case .number: row.append(statement.number(column))
        case .bytes: statement.withBytes(column) { row.append($0) }
        case .optional:
            if statement.isNull(column) {
                row.append(optional: nil)
            } else {
                statement.withBytes(column) { row.append(optional: $0) }
            }
        case .personal:
            if statement.isNull(column) {
                row.appendPersonal(optional: nil)
            } else {
                statement.withBytes(column) { row.appendPersonal(optional: $0) }
            }
        case .address: if !statement.isNull(column) { statement.withBytes(column) { row.append(address: $0) } }
        case .texts(let count): statement.withBytes(column) { row.append(list: $0, publicFields: count) }
        }
    }
}
