import EligibilityRules
import OfferStore

/// A deleted row of `reservation`.
struct LapsedReservation {
    private let nonce: [UInt8]
    private let until: Int64
    private let keys: [Int64]
    private let totals: [Int64]

    /// Reads the columns: nonce, end, names with totals, and totals alone.
    init(_ row: Row) {
        (nonce, until, keys, totals) = (row.bytes(0), row.number(1), row.numbers(2), row.numbers(3))
    }

    /// Subtracts the rows from their totals, and deletes their names.
    static func subtract(_ gone: [LapsedReservation], _ transaction: Transaction) throws {
        let names = gone.flatMap { row in Set(row.keys).map { (key: $0, until: row.until, nonce: row.nonce) } }
        try ReservationNames.delete(names, transaction)
        var changes: [LimitKey: LimitTotal] = [:]
        for total in gone.flatMap(\.totals) { changes[LimitKey(total), default: LimitTotal()].outstanding -= 1 }
        try LimitRows.add(changes, transaction)
    }
}
