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

    private struct Outstanding {
        let until: Int64
        let before: RedemptionCount.Signature
        var now: RedemptionCount.Signature
    }

    private let redemptions: [CountedRedemption]
    private var known: [ID: RedemptionCount.Known] = [:]
    private var outstanding: [UUID: Outstanding] = [:]

    /// Reads the state, and locks the signatures.
    init(_ redemptions: [CountedRedemption], _ transaction: Transaction) throws {
        self.redemptions = redemptions
        let rows = try transaction.run([
            SQLStatement(
                """
                SELECT nonce, until, names, staying_names, totals, staying_totals FROM reservation WHERE nonce = ANY($1)
                ORDER BY nonce FOR UPDATE
                """, [.blobs(redemptions.compactMap(\.nonce?.bytes))]),
            SQLStatement(
                """
                SELECT known.bundle_id, known.transaction_id, version, names, staying_names, is_refunded
                FROM offer_redemption AS known JOIN unnest($1, $2) AS wanted (bundle_id, transaction_id)
                    ON known.bundle_id = wanted.bundle_id AND known.transaction_id = wanted.transaction_id
                """, [.texts(redemptions.map(\.partition.name)), .texts(redemptions.map(\.transactionID))]),
        ])
        rows.first!.forEach { row in
            let signature = RedemptionCount.Signature(
                names: LimitNames(row, 2), totals: LimitNames(row, 4))
            outstanding[row.nonce(0)] = Outstanding(until: row.number(1), before: signature, now: signature)
        }
        rows.last!.forEach { row in
            known[ID(AppPartition(name: row.text(0)), row.text(1))] = RedemptionCount.Known(
                version: row.number(2), names: LimitNames(row, 3), isRefunded: row.flag(5))
        }
    }

    /// All names and totals that may change.
    func names(_ hash: LimitHash) -> Set<LimitKey> {
        var names = Set(redemptions.flatMap { redemption in redemption.names.map { hash($0) } + [hash(redemption.total)] })
        for known in known.values { names.formUnion(known.names.keys) }
        for signature in outstanding.values { names.formUnion(signature.now.names.keys + signature.now.totals.keys) }
        return names
    }

    /// Counts the redemptions in order.
    func count(_ hash: LimitHash, _ transaction: Transaction) throws {
        var (known, outstanding) = (known, outstanding)
        var totals: [LimitKey: LimitTotal] = [:]
        var changed: [ID: CountedRedemption] = [:]
        for redemption in redemptions {
            let id = ID(redemption)
            let signature = redemption.nonce.flatMap { outstanding[$0]?.now }
            guard let count = RedemptionCount(redemption, known: known[id], signature: signature, hash) else { continue }
            if let nonce = redemption.nonce, let left = count.signature { outstanding[nonce]!.now = left }
            for (total, change) in count.totals { totals[total, default: LimitTotal()].add(change) }
            known[id] = RedemptionCount.Known(
                version: redemption.version, names: count.names, isRefunded: redemption.isRefunded)
            changed[id] = redemption
        }
        let rows = changed.map { id, redemption in (redemption: redemption, names: known[id]!.names) }
        try writeUses(rows, transaction)
        try write(outstanding, transaction)
        try LimitRows.add(totals, transaction)
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

    /// Writes the changed signatures.
    ///
    /// Those that have no names and totals any more are deleted.
    private func write(_ outstanding: [UUID: Outstanding], _ transaction: Transaction) throws {
        for (nonce, signature) in outstanding where signature.now != signature.before {
            let (before, now) = (signature.before, signature.now)
            let gone = Set(before.names.keys + before.totals.keys).subtracting(now.names.keys + now.totals.keys)
            try ReservationNames.delete(gone.map { ($0.hash, signature.until, nonce.bytes) }, transaction)
            let isOver = now.names.isEmpty && now.totals.isEmpty
            transaction.enqueue(
                isOver
                    ? SQLStatement("DELETE FROM reservation WHERE nonce = $1", [.bytes(nonce.bytes)])
                    : SQLStatement(
                        """
                        UPDATE reservation SET names = $2::int8[], staying_names = $3::int8[], totals = $4::int8[],
                            staying_totals = $5::int8[] WHERE nonce = $1
                        """,
                        [
                            .bytes(nonce.bytes), .keys(now.names.own), .keys(now.names.staying), .keys(now.totals.own),
                            .keys(now.totals.staying),
                        ]))
        }
    }
}

extension LimitNames {
    /// Reads a column of own names, and the next column of staying names.
    fileprivate init(_ row: Row, _ column: Int32) {
        self.init(row.numbers(column).map { LimitKey($0) }, staying: row.numbers(column + 1).map { LimitKey($0) })
    }
}

extension SQLValue {
    fileprivate static func keys(_ keys: [LimitKey]) -> SQLValue { .numbers(keys.map(\.hash)) }
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
