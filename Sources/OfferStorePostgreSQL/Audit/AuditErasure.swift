import EligibilityRules
import OfferStore

/// Takes what is personal of some ids out of the log: looked for beside the writers, a stretch of time after the other.
struct AuditErasure: Sendable {
    /// Milliseconds by which clocks of processes, and the ends of their transactions, may differ.
    private static let margin: Int64 = 3_600_000

    let store: PostgreSQLStore
    let log: PostgreSQLAuditStore
    let ids: Set<String>
    let bundleID: String

    /// Returns how many rows there were. They and the event are one transaction.
    func run(_ event: AuditEvent) async throws(StoreError) -> Int {
        var found: [AuditTable: Set<Int64>] = [:]
        for table in AuditTable.allCases {
            for slice in try await log.slices(of: table, latest: nil).slices {
                found[table, default: []].formUnion(
                    try await store.read("look for what is personal") { try rows(of: table, slice, $0) })
            }
        }
        let exposures = ExposureErasure(ids, bundleID: bundleID)
        let units = try await exposures.look(store)
        return try await store.writeAudited("erase what is personal", .latest) { [found] transaction, audit in
            // What has come meanwhile.
            let late = AuditSlice(event.at.milliseconds - Self.margin..<Int64.max)
            var count = 0
            for table in AuditTable.allCases {
                let rows = try found[table, default: []].union(self.rows(of: table, late, transaction)).sorted()
                for row in rows where try audit.erase(row: row, of: table, transaction) { count += 1 }
                if table == .signatures {
                    transaction.enqueue(
                        Statement(
                            """
                            UPDATE reservation SET token = NULL WHERE nonce IN (
                                SELECT substr(nonces, 16 * place + 1, 16) FROM signed_request
                                CROSS JOIN LATERAL generate_series(0, octet_length(nonces) / 16 - 1) AS place WHERE id = ANY($1))
                            """, [.numbers(rows)]))
                }
            }
            exposures.enqueue(units, transaction)
            try audit.insert([event], transaction)
            return count
        }
    }

    private func rows(of table: AuditTable, _ slice: AuditSlice, _ transaction: Transaction) throws -> [Int64] {
        try table.namingRows(ids, AppPartition.environments(of: bundleID), in: slice, "id", transaction).map { $0.number(0) }
    }
}
