import EligibilityRules
import GRDB
import OfferStore

/// Adds up what keys have signed, backwards from the end of the ledger.
final class KeyUseBlocks: Sendable {
    private struct Use {
        let keyID: String
        let bundleID: String
        let first: Int64
        let last: Int64
        let signatures: Int
    }

    private struct KeyInApp: Hashable {
        let keyID: String
        let bundleID: String
    }

    private let blocks = RowBlocks<[Use]>()

    /// What was signed since an instant.
    func sum(since instant: Instant, in database: Database) throws -> [KeyUse] {
        let since = instant.milliseconds
        guard let end = try Int64.fetchOne(database, sql: "SELECT max(id) FROM signed_request") else { return [] }
        var found: [KeyInApp: (last: Int64, count: Int)] = [:]
        _ = try blocks.walk(backFrom: end) { rows in
            try Self.read(rows, since: .min, database)
        } isEnough: { block, rows in
            // In the block in which the time begins only a part counts.
            let recent = block.allSatisfy { $0.first >= since } ? block : try Self.read(rows, since: since, database)
            for use in recent {
                let key = KeyInApp(keyID: use.keyID, bundleID: use.bundleID)
                let before = found[key] ?? (.min, 0)
                found[key] = (max(before.last, use.last), before.count + use.signatures)
            }
            return recent.isEmpty
        }
        return found.map {
            KeyUse(
                keyID: $0.keyID, bundleID: $0.bundleID, lastSignedAt: Instant(milliseconds: $1.last), signatures: $1.count)
        }
    }

    private static func read(_ rows: Range<Int64>, since: Int64, _ database: Database) throws -> [Use] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT key_id, bundle_id, min(signed_at), max(signed_at), sum(length(nonces) / 16) FROM signed_request
                WHERE id >= ? AND id < ? AND signed_at >= ? GROUP BY key_id, bundle_id
                """)
        return try Row.fetchAll(
            statement, arguments: [rows.lowerBound, rows.upperBound, since]
        ).map { Use(keyID: $0[0], bundleID: AppPartition(name: $0[1]).bundleID, first: $0[2], last: $0[3], signatures: $0[4]) }
    }
}
