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

/// Expands SQLite's packed rows of outstanding signatures into one row for each signature.
struct CopiedReservations {
    let database: Database

    /// Calls `body` with each row of `reservation` or `reservation_name`.
    func forEachRow(of table: CopiedTable, _ body: ([CopiedValue]) throws -> Void) throws {
        let rows = try PreparedStatement(database, "SELECT signatures FROM reservation ORDER BY id")
        defer { rows.reset() }
        while try rows.step() {
            try rows.withBytes(0) { bytes in
                for entry in ReservationEntries(bytes) {
                    for values in try self.rows(of: entry, named: table.columns.contains { $0.name == "limit_key" }) {
                        try body(table.columns.map { values[$0.name]! })
                    }
                }
            }
        }
    }

    private func rows(of entry: ReservationEntry, named isByName: Bool) throws -> [[String: CopiedValue]] {
        let request = ReservationNumber.request(of: entry.number)
        let common: [String: CopiedValue] = [
            "nonce": .bytes(try nonce(of: entry.number, request)), "until": .number(entry.until.milliseconds),
        ]
        guard !isByName else {
            return Set(entry.names.keys + entry.held).map { key in
                common.merging(["limit_key": .number(key.hash)]) { $1 }
            }
        }
        let own: [String: CopiedValue] = [
            "signed_request": .number(request), "names": CopiedValue(entry.names.own),
            "staying_names": CopiedValue(entry.names.staying), "totals": CopiedValue(entry.totals.own),
            "staying_totals": CopiedValue(entry.totals.staying),
            "held": CopiedValue(entry.held),
        ]
        return [common.merging(own) { $1 }]
    }

    /// The signature's nonce, from its request's row.
    ///
    /// If retention removed that row, no redemption can match, so any unique value will do.
    private func nonce(of number: Int64, _ request: Int64) throws -> [UInt8] {
        let nonces = try PreparedStatement(
            database, "SELECT substr(nonces, 16 * ? + 1, 16) FROM signed_request WHERE id = ?")
        defer { nonces.reset() }
        nonces.bind(Int64(ReservationNumber.position(of: number)), at: 1)
        nonces.bind(request, at: 2)
        guard try nonces.step() else { return withUnsafeBytes(of: (UInt64(0), number.bigEndian)) { Array($0) } }
        return nonces.withBytes(0) { Array($0) }
    }
}

extension CopiedValue {
    fileprivate init(_ keys: [LimitKey]) { self = .numbers(keys.map(\.hash)) }
}
