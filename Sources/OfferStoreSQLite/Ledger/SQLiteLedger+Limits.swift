public import EligibilityRules
import FoundationEssentials
import GRDB
public import OfferStore

extension SQLiteLedger {
    /// What a redeemed signature counted for: whether for the offer's total, and what the redemption does not count for by itself.
    private struct Released {
        var isOfTotal = false
        var names: [Int64] = []
        var totals: [Int64] = []
    }

    private typealias Known = (version: Int64, names: ReservationNames, isRefunded: Bool)

    /// All in one transaction.
    public func count(_ redemptions: [CountedRedemption]) async throws(StoreError) {
        try await store.write("count redemptions") { database in
            let hash = try LimitIndex.readHash(database)
            for redemption in redemptions { try Self.count(redemption, hash, database) }
        }
    }

    private static func count(_ redemption: CountedRedemption, _ hash: SipHash, _ database: Database) throws {
        let known = try known(redemption, database)
        if let known, known.version >= redemption.version { return }
        let total = ReservationKeys.key(redemption.total, hash)
        let id = Data(redemption.transactionID.utf8)
        let own = redemption.names.map { ReservationKeys.key($0, hash) }
        let released = try release(redemption, own, total, database)
        // Where its signature counted it counts, too, and goes on to: for a campaign, or another name of the customer.
        let names = ReservationNames(own, staying: released.names + (known?.names.staying ?? []))
        for total in released.totals { try LimitTotals.add(outstanding: -1, redeemed: 1, to: total, database) }
        for name in known?.names.all ?? [] {
            try database.cachedStatement(sql: "DELETE FROM offer_use WHERE limit_key = ? AND transaction_id = ?")
                .execute(arguments: [name, id])
        }
        // Each gets a number of its own, however often: by that a process learns of what another has counted.
        for name in Set(names.all) {
            try database.cachedStatement(
                sql: "INSERT OR REPLACE INTO offer_use (limit_key, transaction_id, at, refunded) VALUES (?, ?, ?, ?)"
            ).execute(arguments: [name, id, redemption.redeemedAt.milliseconds, redemption.isRefunded ? 1 : 0])
        }
        let refunds = (redemption.isRefunded ? 1 : 0) - (known?.isRefunded == true ? 1 : 0)
        try LimitTotals.add(
            outstanding: released.isOfTotal ? -1 : 0, redeemed: known == nil ? 1 : 0, refunded: refunds, to: total, database)
        try database.cachedStatement(
            sql:
                "INSERT OR REPLACE INTO offer_redemption (bundle_id, transaction_id, version, names, refunded) VALUES (?, ?, ?, ?, ?)"
        ).execute(
            arguments: [
                redemption.bundleID, redemption.transactionID, redemption.version, names.data,
                redemption.isRefunded ? 1 : 0,
            ])
    }

    private static func known(_ redemption: CountedRedemption, _ database: Database) throws -> Known? {
        let statement = try database.cachedStatement(
            sql: "SELECT version, names, refunded FROM offer_redemption WHERE bundle_id = ? AND transaction_id = ?")
        return try Row.fetchOne(statement, arguments: [redemption.bundleID, redemption.transactionID]).map { row in
            (row[0], ReservationNames(row[1] as Data), row[2] as Int64 != 0)
        }
    }

    /// The signature is redeemed, and is no longer outstanding.
    private static func release(
        _ redemption: CountedRedemption,
        _ names: [Int64],
        _ total: Int64,
        _ database: Database
    ) throws -> Released {
        guard let nonce = redemption.nonce, let (request, number) = try number(of: nonce, database) else { return Released() }
        var released = Released()
        try ReservationEdit.run(request: request, database) { signature in
            guard signature.number == number else { return false }
            released = Released(
                isOfTotal: signature.totals.own.contains(total), names: signature.names.all.filter { !names.contains($0) },
                totals: signature.totals.staying)
            signature.names = ReservationNames()
            signature.totals = ReservationNames(signature.totals.own.filter { $0 != total })
            return true
        }
        return released
    }

    /// The request that a nonce was used by, and the number of its signature.
    private static func number(of nonce: UUID, _ database: Database) throws -> (request: Int64, number: Int64)? {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT id, nonces FROM signed_request
                    WHERE id = (SELECT signed_request FROM nonce_series WHERE series = ?)
                    """), arguments: [nonce.seriesBytes])
        guard let row else { return nil }
        let nonces = row[1] as Data
        let position = (0..<nonces.count / LedgerSignature.nonceLength).first {
            UUID(databaseBytes: nonces.part($0, of: LedgerSignature.nonceLength)) == nonce
        }
        return position.map { (row[0], ReservationNumber.number(request: row[0], position: $0)) }
    }

    /// Looks for them beside the writer, which only deletes. The oldest stand first: not more than some thousands are looked at.
    public func pruneReservations(now: Instant, limit: Int) async throws(StoreError) -> Int {
        let due = try await store.read("look for lapsed reservations") { database in
            try Int64.fetchAll(
                database,
                sql: "SELECT id FROM (SELECT id, until FROM reservation ORDER BY id LIMIT ?) WHERE until <= ? LIMIT ?",
                arguments: [SQLiteLedger.oldest, now.milliseconds, limit])
        }
        guard !due.isEmpty else { return 0 }
        return try await store.write("drop lapsed reservations") { database in
            var changes = LimitTotals()
            var gone = 0
            // A row has several.
            for id in due where gone < limit {
                let signatures = try Data.fetchOne(
                    database.cachedStatement(sql: "DELETE FROM reservation WHERE id = ? RETURNING signatures"), arguments: [id])
                guard let signatures else { continue }
                gone += signatures.withUnsafeBytes { ReservationEntries($0).reduce(0) { count, _ in count + 1 } }
                try changes.giveBack(signatures, database)
            }
            try changes.store(database)
            return gone
        }
    }

    // A clock that was ahead for a while must not hold up what lapses after it.
    private static let oldest = 100_000
}
