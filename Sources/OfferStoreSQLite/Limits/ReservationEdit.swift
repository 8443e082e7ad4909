import EligibilityRules
import FoundationEssentials
import GRDB
import OfferStore

/// An edit of an outstanding signature: what it counts for, and whether it can be returned again.
struct ReservationEdit {
    let number: Int64
    /// The names that the signature counts under.
    var names: LimitNames
    /// The totals that the signature counts for. A signature with neither names nor totals is deleted.
    var totals: LimitNames
    /// Whether the signature can be returned again.
    var isKept: Bool

    private init(_ entry: ReservationEntry) {
        number = entry.number
        names = entry.names
        totals = entry.totals
        isKept = !entry.token.isEmpty
    }

    /// Edits the signatures of a request.
    ///
    /// - Parameter change: receives each outstanding signature, and returns whether it has changed it.
    static func run(request: Int64, _ database: Database, _ change: (inout ReservationEdit) -> Bool) throws {
        let numbers = ReservationNumber.numbers(request: request)
        // The request's signatures may begin in the middle of a row, and continue in the next.
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT id, signatures FROM reservation
                    WHERE id >= coalesce((SELECT max(id) FROM reservation WHERE id <= ?1), ?1) AND id <= ?2
                    """), arguments: [numbers.lowerBound, numbers.upperBound])
        for row in rows { try edit(row[0], row[1], numbers, database, change) }
    }

    private static func edit(
        _ id: Int64,
        _ signatures: Data,
        _ numbers: ClosedRange<Int64>,
        _ database: Database,
        _ change: (inout ReservationEdit) -> Bool
    ) throws {
        let row = ReservationRow()
        var hasChanged = false
        signatures.withUnsafeBytes { bytes in
            for entry in ReservationEntries(bytes) {
                var edit = ReservationEdit(entry)
                if numbers.contains(entry.number), change(&edit) { hasChanged = true }
                guard !edit.names.isEmpty || !edit.totals.isEmpty else { continue }
                row.begin(entry.number, until: entry.until, length: entry.bytes.count)
                row.append(names: edit.names, totals: edit.totals)
                if edit.isKept { row.append(token: entry.token) }
                row.end()
            }
        }
        guard hasChanged else { return }
        if row.isEmpty {
            try database.cachedStatement(sql: "DELETE FROM reservation WHERE id = ?").execute(arguments: [id])
        } else {
            try database.cachedStatement(sql: "UPDATE reservation SET signatures = ? WHERE id = ?")
                .execute(arguments: [row.withBytes { Data($0) }, id])
        }
    }
}
