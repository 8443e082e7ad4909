import EligibilityRules
import GRDB
import OfferStore

/// What of limits is taken, on the writer's connection.
enum Reservations {
    /// The first limit that has not so many left; nil if every one has.
    static func usedUp(_ reservations: [Reservation], _ database: Database) throws -> String? {
        var wanted: [String: Int] = [:]
        for reservation in reservations {
            wanted[reservation.limit, default: 0] += 1
            let taken = try Int.fetchOne(
                database.cachedStatement(sql: "SELECT count(*) FROM reservation WHERE limit_name = ? AND expires_at > ?"),
                arguments: [reservation.limit, reservation.madeAt.milliseconds])!
            if taken + wanted[reservation.limit]! > reservation.max { return reservation.limit }
        }
        return nil
    }

    /// Takes them, and lets go of what has expired of the same limits.
    static func insert(_ reservations: [Reservation], _ database: Database) throws {
        for reservation in reservations {
            try database.cachedStatement(sql: "DELETE FROM reservation WHERE limit_name = ? AND expires_at <= ?")
                .execute(arguments: [reservation.limit, reservation.madeAt.milliseconds])
            try database.cachedStatement(sql: "INSERT INTO reservation (limit_name, expires_at) VALUES (?, ?)")
                .execute(arguments: [reservation.limit, reservation.expiresAt.milliseconds])
        }
    }
}
