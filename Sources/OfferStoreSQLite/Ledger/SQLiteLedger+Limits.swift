public import EligibilityRules
import FoundationEssentials
import GRDB
public import OfferStore

extension SQLiteLedger {
    /// Counts all in one transaction.
    public func count(_ redemptions: [CountedRedemption]) async throws(StoreError) {
        try await store.write("count redemptions") { [limitIndex] database in
            let (hash, reservations) = (try limitIndex.hash(database), try Reservations(database, limitIndex))
            for redemption in redemptions { try Self.count(redemption, hash, reservations, database) }
        }
    }

    private static func count(
        _ redemption: CountedRedemption,
        _ hash: LimitHash,
        _ reservations: Reservations,
        _ database: Database
    ) throws {
        let number = try redemption.nonce.flatMap { try Self.number(of: $0, database) }
        var outstanding: [Int64: RedemptionCount<Int64>.Signature] = [:]
        if let number, let signature = try reservations.signature(number, RedemptionCount<Int64>.Signature.init) {
            outstanding[number] = signature
        }
        for name in redemption.names.map({ hash($0) }) + outstanding.values.flatMap(\.names.keys) {
            for (number, signature) in try reservations.signatures(under: name, { ($0, RedemptionCount<Int64>.Signature($1)) }) {
                outstanding[number] = signature
            }
        }
        let known = try known(redemption, database)
        guard let count = RedemptionCount(redemption, known: known, redeemed: number, outstanding: outstanding, hash) else {
            return
        }
        if let redeemed = count.redeemed { try ReservationEdit.run(redeemed, database) { $0.isGone = true } }
        for (number, totals) in count.released {
            try ReservationEdit.run(number, database) { $0.held.removeAll(where: totals.contains) }
        }
        for (total, change) in count.totals { try LimitTotals.add(change, to: total, database) }
        try write(count, of: redemption, database)
    }

    private static func write(_ count: RedemptionCount<Int64>, of redemption: CountedRedemption, _ database: Database) throws {
        let id = Data(redemption.transactionID.utf8)
        for name in count.formerNames {
            try database.cachedStatement(sql: "DELETE FROM offer_use WHERE limit_key = ? AND transaction_id = ?")
                .execute(arguments: [name.hash, id])
        }
        // Each change gets a new row number, which shows other processes what was counted.
        for name in Set(count.names.keys) {
            try database.cachedStatement(
                sql: "INSERT OR REPLACE INTO offer_use (limit_key, transaction_id, at, refunded) VALUES (?, ?, ?, ?)"
            ).execute(arguments: [name.hash, id, redemption.redeemedAt.milliseconds, redemption.isRefunded ? 1 : 0])
        }
        try database.cachedStatement(
            sql:
                "INSERT OR REPLACE INTO offer_redemption (bundle_id, transaction_id, version, names, refunded) VALUES (?, ?, ?, ?, ?)"
        ).execute(
            arguments: [
                redemption.partition.name, redemption.transactionID, redemption.version, count.names.data,
                redemption.isRefunded ? 1 : 0,
            ])
    }

    private static func known(_ redemption: CountedRedemption, _ database: Database) throws -> KnownRedemption? {
        let statement = try database.cachedStatement(
            sql: "SELECT version, names, refunded FROM offer_redemption WHERE bundle_id = ? AND transaction_id = ?")
        return try Row.fetchOne(statement, arguments: [redemption.partition.name, redemption.transactionID]).map { row in
            KnownRedemption(version: row[0], names: LimitNames(row[1] as Data), isRefunded: row[2] as Int64 != 0)
        }
    }

    /// The number of the signature with a nonce.
    private static func number(of nonce: UUID, _ database: Database) throws -> Int64? {
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
        return position.map { ReservationNumber.number(request: row[0], position: $0) }
    }

    /// Searches beside the writer, which only deletes. Reads only the oldest rows.
    public func pruneReservations(now: Instant, limit: Int) async throws(StoreError) -> Int {
        let due = try await store.read("look for lapsed reservations") { database in
            try Int64.fetchAll(
                database,
                sql: "SELECT id FROM (SELECT id, until FROM reservation ORDER BY id LIMIT ?) WHERE until <= ? LIMIT ?",
                arguments: [SQLiteLedger.oldest, now.milliseconds, limit])
        }
        guard !due.isEmpty else { return 0 }
        return try await store.write("drop lapsed reservations") { database in
            var gone = 0
            // A row contains several signatures.
            for id in due where gone < limit {
                let signatures = try Data.fetchOne(
                    database.cachedStatement(sql: "DELETE FROM reservation WHERE id = ? RETURNING signatures"), arguments: [id])
                if let signatures { gone += try LimitTotals.subtract(signatures, database) }
            }
            return gone
        }
    }

    // How many of the oldest rows are examined. If a clock was ahead for a while, its rows lapse late, but do not delay the
    // removal of the rows after them.
    private static let oldest = 100_000
}

extension RedemptionCount.Signature {
    fileprivate init(_ entry: ReservationEntry) {
        self.init(until: entry.until, names: entry.names, totals: entry.totals, held: entry.held)
    }
}

extension Data {
    /// One of the parts of equal length in these bytes.
    fileprivate func part(_ index: Int, of length: Int) -> Data { dropFirst(index * length).prefix(length) }
}
