import FoundationEssentials
import GRDB

/// Moves outstanding signatures into the twelfth migration's form: one signature in each row.
enum ReservationMove {
    static func run(_ database: Database) throws {
        let rows = try Row.fetchCursor(database, sql: "SELECT id, until, nonce, names, totals, kept FROM reservation_before")
        while let row = try rows.next() {
            let (id, until, nonce, names, totals) = (
                row[0] as Int64, row[1] as Int64, row[2] as Data, row[3] as Data, row[4] as Data
            )
            let kept = row[5] as Data? ?? Data()
            // The form of rows at this migration. Later versions may write them differently.
            var signatures = Data()
            for number in [id, until] { withUnsafeBytes(of: number) { signatures.append(contentsOf: $0) } }
            signatures.append(nonce)
            for count in [names.count / 8, totals.count / 8, kept.count] {
                withUnsafeBytes(of: UInt32(count)) { signatures.append(contentsOf: $0) }
            }
            for part in [names, totals, kept] { signatures.append(part) }
            try database.execute(sql: "INSERT INTO reservation VALUES (?, ?, ?, ?)", arguments: [id, until, nonce, signatures])
        }
    }
}
