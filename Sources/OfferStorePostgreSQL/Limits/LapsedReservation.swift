import EligibilityRules
import OfferStore

/// A row of `reservation` that was deleted.
struct LapsedReservation {
    private let nonce: [UInt8]
    private let until: Int64
    private let keys: [Int64]
    private let totals: [Int64]

    /// Reads nonce, end, names and totals together, totals.
    init(_ row: Row) {
        (nonce, until, keys, totals) = (row.bytes(0), row.number(1), row.numbers(2), row.numbers(3))
    }

    /// Gives back what rows have taken of totals, and deletes their names.
    static func giveBack(_ gone: [LapsedReservation], _ transaction: Transaction) {
        let names = gone.flatMap { row in Set(row.keys).map { (key: $0, until: row.until, nonce: row.nonce) } }
        ReservationNames.delete(names, transaction)
        var changes: [LimitKey: LimitTotal] = [:]
        for total in gone.flatMap(\.totals) { changes[LimitKey(total), default: LimitTotal()].outstanding -= 1 }
        LimitRows.add(changes, transaction)
    }
}
