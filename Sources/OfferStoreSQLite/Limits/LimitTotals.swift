import FoundationEssentials
import GRDB
import OfferStore

/// The table `offer_total`: the total use of each limit.
enum LimitTotals {
    /// The total of a limit.
    static func count(of total: LimitKey, _ database: Database) throws -> LimitTotal {
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT outstanding, redeemed, refunded FROM offer_total WHERE limit_key = ?"),
            arguments: [total.hash])
        return row.map { LimitTotal(outstanding: $0[0], redeemed: $0[1], refunded: $0[2]) } ?? LimitTotal()
    }

    /// Adds a change to a total.
    static func add(_ change: LimitTotal, to total: LimitKey, _ database: Database) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO offer_total (limit_key, outstanding, redeemed, refunded) VALUES (?1, ?2, ?3, ?4)
                ON CONFLICT DO UPDATE SET
                    outstanding = outstanding + ?2, redeemed = redeemed + ?3, refunded = refunded + ?4
                """
        ).execute(arguments: [total.hash, change.outstanding, change.redeemed, change.refunded])
    }

    /// Subtracts the signatures of a `reservation` row from their totals. Returns the number of signatures.
    static func subtract(_ row: Data, _ database: Database) throws -> Int {
        var (changes, count): ([LimitKey: Int], Int) = ([:], 0)
        row.withUnsafeBytes { bytes in
            for entry in ReservationEntries(bytes) {
                count += 1
                for total in entry.totals.keys { changes[total, default: 0] -= 1 }
            }
        }
        for (total, change) in changes { try add(LimitTotal(outstanding: change), to: total, database) }
        return count
    }
}
