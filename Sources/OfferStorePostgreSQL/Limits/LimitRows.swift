import OfferStore
import OfferStoreSQL

/// The table `offer_limit`: one row for each limit name, to be locked before its uses are read.
enum LimitRows {
    /// Locks the rows of names, and creates missing ones. The fixed order prevents deadlocks between replicas.
    static func lock(_ names: Set<LimitKey>, _ looks: inout Looks) {
        guard !names.isEmpty else { return }
        let keys = SQLValue.numbers(names.map(\.hash).sorted())
        looks.add("INSERT INTO offer_limit (limit_key) SELECT unnest($1) ON CONFLICT DO NOTHING", keys) { _ in }
        looks.add(
            "SELECT 1 FROM offer_limit WHERE limit_key = ANY($1) ORDER BY limit_key FOR NO KEY UPDATE", keys
        ) { _ in }
    }

    /// Adds changes to totals.
    static func add(_ changes: [LimitKey: LimitTotal], _ transaction: Transaction) throws {
        guard !changes.isEmpty else { return }
        let changes = changes.sorted { $0.key.hash < $1.key.hash }
        try transaction.enqueue(
            """
            INSERT INTO offer_limit (limit_key, outstanding, redeemed, refunded) SELECT * FROM unnest($1, $2, $3, $4)
            ON CONFLICT (limit_key) DO UPDATE SET outstanding = offer_limit.outstanding + excluded.outstanding,
                redeemed = offer_limit.redeemed + excluded.redeemed, refunded = offer_limit.refunded + excluded.refunded
            """, .numbers(changes.map(\.key.hash)), .numbers(changes.map { Int64($0.value.outstanding) }),
            .numbers(changes.map { Int64($0.value.redeemed) }), .numbers(changes.map { Int64($0.value.refunded) }))
    }
}
