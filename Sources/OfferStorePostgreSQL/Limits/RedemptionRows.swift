import EligibilityRules
import FoundationEssentials
import OfferStore
import OfferStoreSQL

/// The stored state of some redemptions and their signatures, and the changes to it.
struct RedemptionRows {
    private struct ID: Hashable {
        let partition: AppPartition
        let transactionID: ExactText

        init(_ partition: AppPartition, _ transactionID: String) {
            (self.partition, self.transactionID) = (partition, ExactText(transactionID))
        }

        init(_ redemption: CountedRedemption) { self.init(redemption.partition, redemption.transactionID) }
    }

    private typealias Signature = RedemptionCount<UUID>.Signature

    private let redemptions: [CountedRedemption]
    private var known: [ID: KnownRedemption] = [:]
    /// The redeemed signatures, and all others under one of their names or of the redemptions.
    private var outstanding: [UUID: Signature] = [:]

    /// Reads the state.
    ///
    /// - Parameter isLocked: whether the rows of all names are locked. Only then the signatures are locked, too, in the order in
    ///   which batches of signatures lock them.
    init(_ redemptions: [CountedRedemption], _ hash: LimitHash, isLocked: Bool, _ transaction: Transaction) throws {
        self.redemptions = redemptions
        let names = redemptions.flatMap(\.names).map { hash($0).hash }
        let rows = try transaction.run([
            SQLStatement(
                """
                WITH redeemed AS (SELECT * FROM reservation WHERE nonce = ANY($1))
                SELECT nonce, until, names, staying_names, totals, staying_totals, held FROM reservation
                WHERE nonce = ANY($1) OR nonce IN (
                    SELECT nonce FROM reservation_name WHERE limit_key = ANY($2::int8[])
                    UNION
                    SELECT other.nonce FROM redeemed CROSS JOIN LATERAL unnest(names || staying_names) AS name
                    JOIN reservation_name AS other ON limit_key = name)
                ORDER BY until, nonce\(isLocked ? " FOR UPDATE" : "")
                """, [.blobs(redemptions.compactMap(\.nonce?.bytes)), .numbers(names)]),
            SQLStatement(
                """
                SELECT known.bundle_id, known.transaction_id, version, names, staying_names, is_refunded
                FROM offer_redemption AS known JOIN unnest($1, $2) AS wanted (bundle_id, transaction_id)
                    ON known.bundle_id = wanted.bundle_id AND known.transaction_id = wanted.transaction_id
                """, [.texts(redemptions.map(\.partition.name)), .texts(redemptions.map(\.transactionID))]),
        ])
        rows.first!.forEach { row in
            outstanding[row.nonce(0)] = Signature(
                until: row.instant(1), names: LimitNames(row, 2), totals: LimitNames(row, 4),
                held: row.numbers(6).map { LimitKey($0) })
        }
        rows.last!.forEach { row in
            known[ID(AppPartition(name: row.text(0)), row.text(1))] = KnownRedemption(
                version: row.number(2), names: LimitNames(row, 3), isRefunded: row.flag(5))
        }
    }

    /// All names and totals that may change.
    func names(_ hash: LimitHash) -> Set<LimitKey> {
        var names = Set(redemptions.flatMap { redemption in redemption.names.map { hash($0) } + [hash(redemption.total)] })
        for known in known.values { names.formUnion(known.names.keys) }
        for nonce in redemptions.compactMap(\.nonce) {
            if let signature = outstanding[nonce] { names.formUnion(signature.names.keys + signature.totals.keys) }
        }
        return names
    }

    /// Counts the redemptions in order.
    func count(_ hash: LimitHash, _ transaction: Transaction) throws {
        var (known, outstanding) = (known, outstanding)
        var totals: [LimitKey: LimitTotal] = [:]
        var changed: [ID: CountedRedemption] = [:]
        var released: [(nonce: UUID, until: Instant, total: LimitKey)] = []
        for redemption in redemptions {
            let id = ID(redemption)
            guard
                let count = RedemptionCount(
                    redemption, known: known[id], redeemed: redemption.nonce, outstanding: outstanding, hash)
            else { continue }
            if let nonce = count.redeemed {
                try delete(nonce, outstanding.removeValue(forKey: nonce)!, transaction)
            }
            for (nonce, places) in count.released {
                let until = outstanding[nonce]!.until
                outstanding[nonce]!.held.removeAll(where: places.contains)
                released += places.map { (nonce, until, $0) }
            }
            for (total, change) in count.totals { totals[total, default: LimitTotal()].add(change) }
            known[id] = KnownRedemption(version: redemption.version, names: count.names, isRefunded: redemption.isRefunded)
            changed[id] = redemption
        }
        let rows = changed.map { id, redemption in (redemption: redemption, names: known[id]!.names) }
        try writeUses(rows, transaction)
        try ReservationRows.release(released, transaction)
        try LimitRows.add(totals, transaction)
    }

    private func delete(_ nonce: UUID, _ signature: Signature, _ transaction: Transaction) throws {
        let names = Set(signature.names.keys + signature.held)
        try ReservationNames.delete(names.map { ($0.hash, signature.until.milliseconds, nonce.bytes) }, transaction)
        transaction.enqueue(SQLStatement("DELETE FROM reservation WHERE nonce = $1", [.bytes(nonce.bytes)]))
    }

    private func writeUses(_ rows: [(redemption: CountedRedemption, names: LimitNames)], _ transaction: Transaction) throws {
        guard !rows.isEmpty else { return }
        let former = rows.flatMap { row in
            (known[ID(row.redemption)]?.names.keys ?? []).map { (key: $0.hash, id: row.redemption.transactionID) }
        }
        try transaction.enqueue(
            """
            DELETE FROM offer_use USING unnest($1, $2) AS gone (limit_key, transaction_id)
            WHERE offer_use.limit_key = gone.limit_key AND offer_use.transaction_id = gone.transaction_id
            """, .numbers(former.map(\.key)), .texts(former.map(\.id)))
        let uses = rows.flatMap { row in Set(row.names.keys).map { (key: $0.hash, redemption: row.redemption) } }
        try transaction.enqueue(
            """
            INSERT INTO offer_use (limit_key, transaction_id, at, is_refunded) SELECT * FROM unnest($1, $2, $3, $4)
            ON CONFLICT (limit_key, transaction_id) DO UPDATE SET at = excluded.at, is_refunded = excluded.is_refunded
            """, .numbers(uses.map(\.key)), .texts(uses.map(\.redemption.transactionID)),
            .numbers(uses.map(\.redemption.redeemedAt.milliseconds)), .flags(uses.map(\.redemption.isRefunded)))
        try transaction.enqueue(
            """
            INSERT INTO offer_redemption (bundle_id, transaction_id, version, names, staying_names, is_refunded)
            SELECT bundle_id, transaction_id, version, names::int8[], staying_names::int8[], is_refunded
            FROM unnest($1, $2, $3, $4, $5, $6)
                AS new (bundle_id, transaction_id, version, names, staying_names, is_refunded)
            ON CONFLICT (bundle_id, transaction_id) DO UPDATE SET version = excluded.version, names = excluded.names,
                staying_names = excluded.staying_names, is_refunded = excluded.is_refunded
            """, .texts(rows.map(\.redemption.partition.name)), .texts(rows.map(\.redemption.transactionID)),
            .numbers(rows.map(\.redemption.version)), .texts(rows.map(\.names.own.list)),
            .texts(rows.map(\.names.staying.list)), .flags(rows.map(\.redemption.isRefunded)))
    }
}

extension LimitNames {
    /// Reads a column of own names, and the next column of staying names.
    fileprivate init(_ row: Row, _ column: Int32) {
        self.init(row.numbers(column).map { LimitKey($0) }, staying: row.numbers(column + 1).map { LimitKey($0) })
    }
}

extension LimitTotal {
    fileprivate mutating func add(_ change: LimitTotal) {
        outstanding += change.outstanding
        redeemed += change.redeemed
        refunded += change.refunded
    }
}

/// A deleted row of `reservation`.
struct LapsedReservation {
    private let nonce: [UInt8]
    private let until: Int64
    private let keys: [Int64]
    private let totals: [Int64]

    /// Reads the columns: nonce, end, names with held totals, and held totals alone.
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

/// The table `reservation_name`.
enum ReservationNames {
    static func delete(_ rows: [(key: Int64, until: Int64, nonce: [UInt8])], _ transaction: Transaction) throws {
        guard !rows.isEmpty else { return }
        try transaction.enqueue(
            """
            DELETE FROM reservation_name AS old USING unnest($1, $2, $3) AS gone (limit_key, until, nonce)
            WHERE old.limit_key = gone.limit_key AND old.until = gone.until AND old.nonce = gone.nonce
            """, .numbers(rows.map(\.key)), .numbers(rows.map(\.until)), .blobs(rows.map(\.nonce)))
    }
}
