import EligibilityRules
import OfferStore
import OfferStoreSQL

/// Divides a table of the log into stretches of time.
struct AuditSlicing {
    let table: AuditTable
    let rowsPerSlice: Int64
    let transaction: Transaction

    /// Returns the slices, the earliest first.
    ///
    /// - Parameter latest: how many of the latest rows; nil for all.
    func run(latest: Int64?) throws -> AuditSlices {
        let time = table.entryColumns.time
        let ends = try transaction.run("SELECT min(\(time)), max(\(time)) FROM \(table.rawValue)").first { row in
            row.optionalNumber(0).map { first in (first: first, last: row.number(1)) }
        }
        guard let ends = ends ?? nil else { return AuditSlices([], maxRows: 0, since: nil) }
        var slices: [AuditSlice] = []
        var (end, rows) = (ends.last + 1, Int64(0))
        while end > ends.first, rows < latest ?? .max {
            let (start, count) = try slice(before: end, rows: min(rowsPerSlice, (latest ?? .max) - rows))
            slices.append(AuditSlice(start..<end))
            (end, rows) = (start, rows + count)
        }
        return AuditSlices(
            slices.reversed(), maxRows: rows, since: end > ends.first ? Instant(milliseconds: end) : nil)
    }

    /// Finds where this many rows begin. Rows of the same instant stay together.
    private func slice(before end: Int64, rows: Int64) throws -> (start: Int64, count: Int64) {
        let time = table.entryColumns.time
        return try transaction.run(
            """
            SELECT min(at), count(*) FROM (
                SELECT \(time) AS at FROM \(table.rawValue) WHERE \(time) < $1 ORDER BY \(time) DESC LIMIT $2) AS slice
            """, .number(end), .number(rows)
        ).first { ($0.number(0), $0.number(1)) }!
    }
}
