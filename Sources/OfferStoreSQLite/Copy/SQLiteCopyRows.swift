import EligibilityRules
import GRDB
import GRDBSQLite
import OfferStore

/// The rows of both files, each in a transaction that blocks other writers.
struct SQLiteCopyRows: CopySourceRows {
    let signatures: Database
    let histories: Database
    let customerHash: SipHash
    let target: String
    let now: Instant
    /// Names of the rows of `secret` that are not copied.
    let leftOut: Set<String>

    func forEachRow(of table: CopiedTable, _ body: ([CopiedValue]) throws -> Void) throws {
        guard !["reservation", "reservation_name"].contains(table.name) else {
            return try CopiedReservations(database: signatures).forEachRow(of: table, body)
        }
        let rows = try PreparedStatement(table.isOfHistories ? histories : signatures, table.query)
        defer { rows.reset() }
        while try rows.step() {
            let row = table.columns.indices.map { value(table.columns[$0], of: table, rows, Int32($0)) }
            if table.name == "secret", case .text(let name) = row[0], leftOut.contains(name) { continue }
            try body(row)
        }
    }

    private func value(
        _ column: CopiedTable.Column,
        of table: CopiedTable,
        _ row: PreparedStatement,
        _ index: Int32
    ) -> CopiedValue {
        guard !row.isNull(index) else { return .null }
        return switch column.kind {
        case .number where table.name == "customer" && column.name == "place":
            .number(row.withBytes(index) { Int64(bitPattern: customerHash.hash($0)) })
        case .number where row.isBlob(index):
            .number(row.withBytes(index) { Int64(bigEndian: $0.loadUnaligned(as: Int64.self)) })
        case .number: .number(row.number(index))
        case .text: .text(row.text(index))
        case .bytes: .bytes(row.withBytes(index) { Array($0) })
        case .flag: .flag(row.number(index) != 0)
        case .numbers:
            .numbers(row.withBytes(index) { column.name == "names" ? LimitNames($0).own : LimitNames($0).staying }.map(\.hash))
        }
    }

    func retire() throws {
        for database in [histories, signatures] {
            try CopiedAway.note(target, at: now, database)
            try database.commit()
        }
    }
}

extension PreparedStatement {
    fileprivate func isBlob(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_BLOB }
}
