import EligibilityRules
import GRDB
import OfferStore
package import OfferStoreSQL

/// Sums the use of keys, backwards from the end of the ledger.
final class KeyUseBlocks: Sendable {
    private let blocks = RowBlocks<[(use: KeyUse, first: Int64)]>()

    /// The use since an instant.
    func sum(since instant: Instant, in database: Database) throws -> [KeyUse] {
        let since = instant.milliseconds
        guard let end = try Int64.fetchOne(database, sql: "SELECT max(id) FROM signed_request") else { return [] }
        var uses = KeyUses()
        _ = try blocks.walk(backFrom: end) { rows in
            try Self.read(rows, since: .min, database)
        } isEnough: { block, rows in
            // Only a part of the block that contains the instant counts.
            let recent = block.allSatisfy { $0.first >= since } ? block : try Self.read(rows, since: since, database)
            for (use, _) in recent { uses.add(use) }
            return recent.isEmpty
        }
        return uses.all
    }

    private static func read(_ rows: Range<Int64>, since: Int64, _ database: Database) throws
        -> [(use: KeyUse, first: Int64)]
    {
        let statement = try database.cachedStatement(
            sql: """
                SELECT key_id, bundle_id, max(signed_at), sum(length(nonces) / 16), min(signed_at) FROM signed_request
                WHERE id >= ? AND id < ? AND signed_at >= ? GROUP BY key_id, bundle_id
                """)
        return try Row.fetchAll(statement, arguments: [rows.lowerBound, rows.upperBound, since]).map { row in
            let use = KeyUse(
                keyID: row[0], bundleID: AppPartition(name: row[1]).bundleID, lastSignedAt: Instant(milliseconds: row[2]),
                signatures: row[3])
            return (use, row[4])
        }
    }
}

extension SQLKeyStore where Store == SQLiteStore {
    /// Reads only new rows of the ledger for the use of keys, and caches the rest.
    package init(_ store: SQLiteStore) {
        let uses = KeyUseBlocks()
        self.init(store) { try uses.sum(since: $0, in: $1) }
    }
}
