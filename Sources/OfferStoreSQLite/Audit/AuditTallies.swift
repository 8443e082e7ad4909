import GRDB
import OfferStore

/// Counts the offers in a table of the log, backwards from its end.
final class AuditTallies: Sendable {
    private let table: AuditTable
    private let sql: String
    private let maxReads: Int
    private let blocks: RowBlocks<[AuditTally.Part]>

    /// Returns nil for a table without offers.
    ///
    /// - Parameter maxReads: maximum number of blocks that one call reads.
    init?(_ table: AuditTable, rowsPerBlock: Int64 = 4096, maxReads: Int = 64) {
        guard let sql = table.tallying else { return nil }
        self.table = table
        self.sql = sql
        self.maxReads = maxReads
        blocks = RowBlocks(rowsPerBlock: rowsPerBlock)
    }

    /// The tally since a minute.
    ///
    /// In a table with many rows the first calls do not reach back so far. Each call reaches further.
    func tally(since first: Int64, in database: Database) throws -> AuditTally {
        guard let end = try Int64.fetchOne(database, sql: "SELECT max(id) FROM \(table.rawValue)") else {
            return AuditTally([], since: first)
        }
        let statement = try database.cachedStatement(sql: sql)
        var parts: [AuditTally.Part] = []
        let isWhole = try blocks.walk(backFrom: end, maxReads: maxReads) { rows in
            try Row.fetchAll(statement, arguments: [rows.lowerBound, rows.upperBound]).map {
                AuditTally.Part(minute: $0[0], partition: AppPartition(name: $0[1]), outcome: $0[2], offers: $0[3])
            }
        } isEnough: { sum, _ in
            parts += sum.filter { $0.minute >= first }
            return !sum.contains { $0.minute >= first }
        }
        // The unread block may contain a part of the first minute.
        return AuditTally(parts, since: isWhole ? first : (parts.lazy.map(\.minute).min() ?? first) + 1)
    }
}

extension AuditTable {
    /// Selects minute, app, outcome and offers of the rows between two ids; nil for a table without offers.
    fileprivate var tallying: String? {
        switch self {
        case .signatures:
            """
            SELECT signed_at / 60000, bundle_id, key_id, sum(length(nonces) / 16) FROM signed_request
            WHERE id >= ? AND id < ? GROUP BY 1, 2, 3
            """
        case .refusals:
            """
            SELECT refused_at / 60000, bundle_id, coalesce(offer.value ->> 2, ''), count(*)
            FROM refused_request, json_each(refused_request.offers) AS offer
            WHERE refused_request.id >= ? AND refused_request.id < ? GROUP BY 1, 2, 3
            """
        case .events: nil
        }
    }
}
