import EligibilityRules
import FoundationEssentials
import OfferStore
import OfferStoreSQL

/// Redemptions with the signatures that they may belong to.
struct RedemptionTies: Sendable {
    private let found: [(redemption: UntiedRedemption, candidates: [UUID])]

    init(_ redemptions: [UntiedRedemption], _ candidates: [RedemptionCandidates]) {
        found = Array(zip(redemptions, candidates.map(\.nonces)))
    }

    /// Ties each redemption to its first signature without another redemption. Returns how many were tied.
    ///
    /// Marks all of them as searched.
    ///
    /// Leaves redemptions unchanged that another process has searched or reset. Serializable: no two redemptions get the same
    /// signature.
    func write(at now: Instant, _ transaction: Transaction) throws -> Int {
        let rows = Array(
            try transaction.run([
                SQLStatement(
                    """
                    SELECT place FROM unnest($1, $2, $3) WITH ORDINALITY AS key (app, id, writer, place)
                    JOIN redemption ON redemption.app = key.app AND transaction_id = key.id
                    WHERE nonce IS NULL AND searched_at IS NULL AND redemption.xmin::text::int8 = writer ORDER BY place
                    """, found.map(\.redemption.key).unnested + [.numbers(found.map(\.redemption.writtenBy))]),
                SQLStatement(
                    "SELECT nonce FROM redemption WHERE nonce = ANY ($1)", [.blobs(found.flatMap { $0.candidates.map(\.bytes) })]),
            ]))
        var taken = Set(rows[1].map { $0.nonce(0) })
        let ties = rows[0].map { row in
            let (redemption, candidates) = found[Int(row.number(0)) - 1]
            return (key: redemption.key, nonce: candidates.first { taken.insert($0).inserted })
        }
        transaction.enqueue(
            SQLStatement(
                """
                UPDATE redemption SET nonce = tie.nonce, searched_at = $4, version = version + (tie.nonce IS NOT NULL)::int
                FROM unnest($1, $2, $3) AS tie (app, id, nonce)
                WHERE redemption.app = tie.app AND transaction_id = tie.id
                """, ties.map(\.key).unnested + [.blobs(ties.map { $0.nonce?.bytes }), .instant(now)]))
        return ties.count { $0.nonce != nil }
    }
}
