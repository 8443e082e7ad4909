import EligibilityRules
import GRDB
import OfferStore

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
            return Set(entry.names.keys + entry.totals.keys).map { key in
                common.merging(["limit_key": .number(key.hash)]) { $1 }
            }
        }
        let own: [String: CopiedValue] = [
            "signed_request": .number(request), "names": CopiedValue(entry.names.own),
            "staying_names": CopiedValue(entry.names.staying), "totals": CopiedValue(entry.totals.own),
            "staying_totals": CopiedValue(entry.totals.staying),
            "token": entry.token.isEmpty ? .null : .bytes(Array(entry.token)),
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
