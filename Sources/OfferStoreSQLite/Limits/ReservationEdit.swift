import EligibilityRules
import FoundationEssentials
import GRDB
import OfferStore

/// An edit of an outstanding signature.
struct ReservationEdit {
    /// The places that it holds.
    var held: [LimitKey]
    /// Whether it is deleted.
    var isGone = false

    /// Edits a signature; does nothing if it is not outstanding.
    static func run(_ number: Int64, _ database: Database, _ change: (inout ReservationEdit) -> Void) throws {
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT id, signatures FROM reservation WHERE id <= ? ORDER BY id DESC LIMIT 1"),
            arguments: [number])
        if let row { try edit(row[0], row[1], number, database, change) }
    }

    private static func edit(
        _ id: Int64,
        _ signatures: Data,
        _ number: Int64,
        _ database: Database,
        _ change: (inout ReservationEdit) -> Void
    ) throws {
        let row = ReservationRow()
        var isFound = false
        signatures.withUnsafeBytes { bytes in
            for entry in ReservationEntries(bytes) {
                var edit = ReservationEdit(held: entry.held)
                if entry.number == number {
                    isFound = true
                    change(&edit)
                }
                if edit.isGone { continue }
                row.begin(entry.number, until: entry.until, length: entry.bytes.count)
                row.append(names: entry.names, totals: entry.totals, held: edit.held)
                row.end()
            }
        }
        guard isFound else { return }
        if row.isEmpty {
            try database.cachedStatement(sql: "DELETE FROM reservation WHERE id = ?").execute(arguments: [id])
        } else {
            try database.cachedStatement(sql: "UPDATE reservation SET signatures = ? WHERE id = ?")
                .execute(arguments: [row.withBytes { Data($0) }, id])
        }
    }
}
