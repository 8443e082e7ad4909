import FoundationEssentials
import GRDB

/// How many there are of offers in all, read once and written once in a transaction.
struct LimitTotals {
    /// Of one offer.
    struct Count {
        var outstanding: Int
        let redeemed: Int
        let refunded: Int
        fileprivate let stored: Int

        /// Those that count.
        func counted(withRefunded: Bool) -> Int { outstanding + redeemed - (withRefunded ? 0 : refunded) }
    }

    private var counts: [Int64: Count] = [:]

    /// Those of an offer, with what the transaction has changed so far.
    mutating func count(of total: Int64, _ database: Database) throws -> Count {
        if let count = counts[total] { return count }
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT outstanding, redeemed, refunded FROM offer_total WHERE limit_key = ?"),
            arguments: [total])
        let outstanding: Int = row?[0] ?? 0
        let count = Count(outstanding: outstanding, redeemed: row?[1] ?? 0, refunded: row?[2] ?? 0, stored: outstanding)
        counts[total] = count
        return count
    }

    /// Changes how many are outstanding.
    mutating func add(_ change: Int, to total: Int64, _ database: Database) throws {
        _ = try count(of: total, database)
        counts[total]!.outstanding += change
    }

    /// Gives back what the signatures of a row have taken.
    mutating func giveBack(_ row: Data, _ database: Database) throws {
        let totals = row.withUnsafeBytes { ReservationEntries($0).flatMap(\.totals.all) }
        for total in totals { try add(-1, to: total, database) }
    }

    /// Writes what has changed, at the end of the transaction.
    mutating func store(_ database: Database) throws {
        for (total, count) in counts where count.outstanding != count.stored {
            try Self.add(outstanding: count.outstanding - count.stored, to: total, database)
        }
        counts.removeAll()
    }

    /// Writes a change.
    static func add(
        outstanding: Int,
        redeemed: Int = 0,
        refunded: Int = 0,
        to total: Int64,
        _ database: Database
    ) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO offer_total (limit_key, outstanding, redeemed, refunded) VALUES (?1, ?2, ?3, ?4)
                ON CONFLICT DO UPDATE SET
                    outstanding = outstanding + ?2, redeemed = redeemed + ?3, refunded = refunded + ?4
                """
        ).execute(arguments: [total, outstanding, redeemed, refunded])
    }
}
