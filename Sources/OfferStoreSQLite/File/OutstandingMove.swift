import FoundationEssentials
import GRDB

/// Moves outstanding signatures into the tenth migration's form: one row for each, with all of its names.
enum OutstandingMove {
    private struct Signature {
        let until: Int64
        var names = Data()
        var totals = Data()
        var kept: Data?
    }

    /// Part of the row numbers at this migration. Later versions may compute them differently.
    private static let perRequest: Int64 = 1024

    static func run(_ database: Database) throws {
        var requests: [Int64: [Data: Signature]] = [:]
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT signed_request, id, until, limit_key, kept, EXISTS (SELECT 1 FROM offer_total WHERE limit_key = use.limit_key)
                FROM offer_use_before AS use JOIN nonce_series ON series = substr(id, 1, 8) WHERE until < 9223372036854775807
                """)
        while let row = try rows.next() {
            let key = withUnsafeBytes(of: row[3] as Int64) { Data($0) }
            var signature = requests[row[0], default: [:]][row[1]] ?? Signature(until: row[2])
            if row[5] { signature.totals += key } else { signature.names += key }
            signature.kept = row[4] ?? signature.kept
            requests[row[0], default: [:]][row[1]] = signature
        }
        for (request, signatures) in requests {
            for (position, (nonce, signature)) in signatures.enumerated() {
                try database.execute(
                    sql: "INSERT INTO reservation VALUES (?, ?, ?, ?, ?, ?)",
                    arguments: [
                        request * perRequest + Int64(position), signature.until, nonce, signature.names, signature.totals,
                        signature.kept,
                    ])
            }
        }
    }
}
