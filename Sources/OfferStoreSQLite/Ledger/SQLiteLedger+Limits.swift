public import EligibilityRules
import FoundationEssentials
import GRDB
public import OfferStore

extension SQLiteLedger {
    private typealias Known = (version: Int64, names: [Int64], isRefunded: Bool)

    /// All in one transaction.
    public func count(_ redemptions: [CountedRedemption]) async throws(StoreError) {
        try await store.write("count redemptions") { database in
            let hash = try Reservations.hash(database)
            for redemption in redemptions { try Self.count(redemption, hash, database) }
        }
    }

    private static func count(_ redemption: CountedRedemption, _ hash: SipHash, _ database: Database) throws {
        let known = try known(redemption, database)
        if let known, known.version >= redemption.version { return }
        let total = Reservations.key(redemption.total, hash)
        let names = redemption.names.map { Reservations.key($0, hash) }
        let id = Data(redemption.transactionID.utf8)
        for name in known?.names ?? [] {
            try database.cachedStatement(sql: "DELETE FROM offer_use WHERE limit_key = ? AND until = ? AND id = ?")
                .execute(arguments: [name, Reservations.never, id])
        }
        for name in Set(names) {
            try database.cachedStatement(
                sql: "INSERT OR REPLACE INTO offer_use (limit_key, until, id, at, refunded) VALUES (?, ?, ?, ?, ?)"
            ).execute(
                arguments: [name, Reservations.never, id, redemption.redeemedAt.milliseconds, redemption.isRefunded ? 1 : 0])
        }
        let refunds = (redemption.isRefunded ? 1 : 0) - (known?.isRefunded == true ? 1 : 0)
        let released = try release(redemption, names, total, database)
        try database.cachedStatement(
            sql: """
                INSERT INTO offer_total (limit_key, outstanding, redeemed, refunded) VALUES (?1, 0, ?3, ?4)
                ON CONFLICT DO UPDATE SET
                    outstanding = outstanding - ?2, redeemed = redeemed + ?3, refunded = refunded + ?4
                """
        ).execute(arguments: [total, released, known == nil ? 1 : 0, refunds])
        try database.cachedStatement(
            sql:
                "INSERT OR REPLACE INTO offer_redemption (bundle_id, transaction_id, version, names, refunded) VALUES (?, ?, ?, ?, ?)"
        ).execute(
            arguments: [
                redemption.bundleID, redemption.transactionID, redemption.version, data(names), redemption.isRefunded ? 1 : 0,
            ])
    }

    private static func known(_ redemption: CountedRedemption, _ database: Database) throws -> Known? {
        let statement = try database.cachedStatement(
            sql: "SELECT version, names, refunded FROM offer_redemption WHERE bundle_id = ? AND transaction_id = ?")
        return try Row.fetchOne(statement, arguments: [redemption.bundleID, redemption.transactionID]).map { row in
            (row[0], numbers(row[1]), row[2] as Int64 != 0)
        }
    }

    /// The signature is redeemed and no longer outstanding. Returns how many it was of the total: one or none.
    private static func release(
        _ redemption: CountedRedemption,
        _ names: [Int64],
        _ total: Int64,
        _ database: Database
    ) throws -> Int {
        guard let nonce = redemption.nonce,
            let signedAt = try Int64.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT signed_at FROM signed_request
                        WHERE id = (SELECT signed_request FROM nonce_series WHERE series = ?)
                        """), arguments: [nonce.seriesBytes])
        else { return 0 }
        let id = withUnsafeBytes(of: nonce.uuid) { Data($0) }
        let delete = try database.cachedStatement(sql: "DELETE FROM offer_use WHERE limit_key = ? AND until = ? AND id = ?")
        for name in names { try delete.execute(arguments: [name, signedAt + Reservation.lifetime, id]) }
        try delete.execute(arguments: [total, signedAt + Reservation.lifetime, id])
        return database.changesCount
    }

    private static func data(_ numbers: [Int64]) -> Data { numbers.withUnsafeBytes { Data($0) } }

    private static func numbers(_ data: Data) -> [Int64] {
        data.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count - 7, by: 8).map { bytes.loadUnaligned(fromByteOffset: $0, as: Int64.self) }
        }
    }

    /// Looks for them beside the writer, which only deletes.
    public func pruneReservations(now: Instant, limit: Int) async throws(StoreError) -> Int {
        let due = try await store.read("look for lapsed reservations") { database in
            try Row.fetchAll(
                database, sql: "SELECT limit_key, until, id FROM offer_use WHERE until <= ? LIMIT ?",
                arguments: [now.milliseconds, limit]
            ).map { row in (row[0] as Int64, row[1] as Int64, row[2] as Data) }
        }
        guard !due.isEmpty else { return 0 }
        return try await store.write("drop lapsed reservations") { database in
            var gone = 0
            for (key, until, id) in due {
                try database.cachedStatement(sql: "DELETE FROM offer_use WHERE limit_key = ? AND until = ? AND id = ?")
                    .execute(arguments: [key, until, id])
                let count = database.changesCount
                // Under the name of a customer there is no such row.
                try database.cachedStatement(sql: "UPDATE offer_total SET outstanding = outstanding - ? WHERE limit_key = ?")
                    .execute(arguments: [count, key])
                gone += count
            }
            return gone
        }
    }
}
