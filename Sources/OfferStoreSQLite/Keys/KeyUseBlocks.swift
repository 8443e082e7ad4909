import EligibilityRules
import GRDB
import OfferStore
import Synchronization

/// Adds up what keys have signed, backwards from the end of the ledger.
///
/// Its rows never change, and lie in the order of time up to what a batch holds: the sums of blocks that are full are remembered, so that
/// a busy day is read once and not whenever somebody asks.
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

    private static let rowsPerBlock: Int64 = 4096

    /// By number, of blocks that are full.
    private let blocks = Mutex<[Int64: [Use]]>([:])

    /// What was signed since an instant.
    func sum(since instant: Instant, in database: Database) throws -> [KeyUse] {
        let since = instant.milliseconds
        guard let end = try Int64.fetchOne(database, sql: "SELECT max(id) FROM signed_request") else { return [] }
        let known = blocks.withLock { $0 }
        var (kept, found): ([Int64: [Use]], [KeyInApp: (last: Int64, count: Int)]) = ([:], [:])
        var number = end / Self.rowsPerBlock
        while number >= 0 {
            let block = try known[number] ?? Self.read(number, since: .min, database)
            if (number + 1) * Self.rowsPerBlock <= end + 1 { kept[number] = block }
            // In the block in which the time begins only a part counts.
            let recent = block.allSatisfy { $0.first >= since } ? block : try Self.read(number, since: since, database)
            for use in recent {
                let key = KeyInApp(keyID: use.keyID, bundleID: use.bundleID)
                let before = found[key] ?? (.min, 0)
                found[key] = (max(before.last, use.last), before.count + use.signatures)
            }
            number = recent.isEmpty ? -1 : number - 1
        }
        blocks.withLock { [kept] in $0 = kept }
        return found.map {
            KeyUse(
                keyID: $0.keyID, bundleID: $0.bundleID, lastSignedAt: Instant(milliseconds: $1.last), signatures: $1.count)
        }
    }

    private static func read(_ number: Int64, since: Int64, _ database: Database) throws -> [Use] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT key_id, bundle_id, min(signed_at), max(signed_at), sum(length(nonces) / 16) FROM signed_request
                WHERE id >= ? AND id < ? AND signed_at >= ? GROUP BY key_id, bundle_id
                """)
        return try Row.fetchAll(
            statement, arguments: [number * rowsPerBlock, (number + 1) * rowsPerBlock, since]
        ).map { Use(keyID: $0[0], bundleID: AppPartition(name: $0[1]).bundleID, first: $0[2], last: $0[3], signatures: $0[4]) }
    }
}
