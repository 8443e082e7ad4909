import EligibilityRules
import OfferStore
package import OfferStoreSQL

/// Reads the use of keys from the tally of offers, and from the ledger for a partial minute.
enum KeyUseReading {
    private static let minute: Int64 = 60_000

    /// The use since an instant.
    static func sum(since instant: Instant, _ transaction: Transaction) throws -> [KeyUse] {
        let (minutes, rest) = instant.milliseconds.quotientAndRemainder(dividingBy: minute)
        // The first whole minute after the instant.
        let first = rest > 0 ? minutes + 1 : minutes
        let rows = try transaction.run(
            """
            SELECT key_id, bundle_id, max(latest_at), sum(offers)::int8
            FROM (
                SELECT outcome, bundle_id, latest_at, offers FROM offer_tally
                WHERE minute >= $2 AND table_name = 'signed_request'
                UNION ALL
                SELECT key_id, bundle_id, signed_at, octet_length(nonces) / \(LedgerSignature.nonceLength) FROM signed_request
                WHERE signed_at >= $1 AND signed_at < $2 * \(minute)
            ) AS signed (key_id, bundle_id, latest_at, offers)
            GROUP BY key_id, bundle_id
            """, .instant(instant), .number(first))
        var uses = KeyUses()
        rows.forEach { row in
            uses.add(
                KeyUse(
                    keyID: row.text(0), bundleID: AppPartition(name: row.text(1)).bundleID, lastSignedAt: row.instant(2),
                    signatures: Int(row.number(3))))
        }
        return uses.all
    }
}

extension SQLKeyStore where Store == PostgreSQLStore {
    /// Reads the use of keys as the sum of whole minutes, and of that part of the first minute that counts.
    package init(_ store: PostgreSQLStore) { self.init(store) { try KeyUseReading.sum(since: $0, $1) } }
}
