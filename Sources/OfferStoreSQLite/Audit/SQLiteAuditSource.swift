import EligibilityRules
import GRDB
import OfferStore
import OfferStoreSQL

/// The data for a verification, from one snapshot.
final class SQLiteAuditSource: AuditSource {
    let database: Database
    let identity: AuditIdentity
    let isDense = true
    private var nonces = NonceSeriesCheck()

    init(database: Database, _ identity: AuditIdentity) {
        self.database = database
        self.identity = identity
    }

    func chains() throws -> [AuditChain] { try AuditChain.all(database) }

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

    func decisionFault() throws -> AuditFault? {
        try KeyDecisions.all(identity, database).fault ?? AccessComparison.all(identity, database).fault
            ?? StateComparison.fault(identity, database)
    }

    func forEachRow(
        of table: AuditTable,
        _ ids: ClosedRange<Int64>,
        limit: Int64,
        _ body: (_ id: Int64, _ chain: Int64, _ link: UnsafeRawBufferPointer, _ row: AuditRowEncoder?) throws -> Void
    ) throws {
        let columns = table.columns
        let leading = AuditTable.leadingColumns.count
        let statement = try PreparedStatement(
            database,
            "SELECT \(table.chainedColumns.joined(separator: ", ")) FROM \(table.rawValue) WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?"
        )
        statement.bind(ids.lowerBound, at: 1)
        statement.bind(ids.upperBound, at: 2)
        statement.bind(limit, at: 3)
        defer { statement.reset() }
        let row = AuditRowEncoder()
        while try statement.step() {
            let id = statement.number(0)
            row.begin(table, id: id)
            for index in columns.indices {
                let (column, kind) = (Int32(index + leading), columns[index].kind)
                if case .number = kind {
                    row.append(statement.number(column))
                } else if statement.isNull(column) {
                    row.append(kind, nil)
                } else {
                    statement.withBytes(column) { bytes in
                        if columns[index].name == "nonces" { nonces.take(bytes, row: id) }
                        row.append(kind, bytes)
                    }
                }
            }
            var isWhole = true
            if statement.isNull(3) {
                row.finish(identity.keyed)
            } else {
                isWhole = statement.withBytes(3) { row.finish(erased: $0) }
            }
            let chain = statement.number(1)
            try statement.withBytes(2) { link in try body(id, chain, link, isWhole ? row : nil) }
        }
    }
}
