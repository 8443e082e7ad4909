import EligibilityRules
import OfferStore
import OfferStoreSQL

/// Erases the personal data of some ids from the log. Searches beside the writers, one stretch of time after another.
struct AuditErasure: Sendable {
    private static let purpose = "look for what is personal"

    let store: PostgreSQLStore
    let log: PostgreSQLAuditStore
    let ids: Set<String>
    let bundleID: String

    private var partitions: [AppPartition] { AppPartition.environments(of: bundleID) }

    /// Erases the data, and returns how many rows were changed.
    ///
    /// The changes and the event share one transaction.
    func run(_ event: AuditEvent) async throws(StoreError) -> Int {
        let first = try await store.scan(Self.purpose) { try ChainEnds.read($0) }
        var found: [AuditTable: Set<Int64>] = [:]
        for table in AuditTable.allCases {
            for slice in try await log.slices(of: table, latest: nil).slices {
                found[table, default: []].formUnion(
                    try await store.scan(Self.purpose) {
                        try table.namingRows(ids, partitions, in: slice, "id", $0).map { $0.number(0) }
                    })
            }
        }
        // Finds rows added meanwhile, so that few remain to be searched while signatures wait.
        let (second, late) = try await store.scan(Self.purpose) { (try ChainEnds.read($0), try rows(behind: first, $0)) }
        found.merge(late) { $0.union($1) }
        let exposures = ExposureErasure(ids, bundleID: bundleID)
        let units = try await exposures.look(store)
        return try await store.writeAudited("erase what is personal", .latest) { [found, second] transaction, audit in
            var count = 0
            let all = try found.merging(rows(behind: second, transaction)) { $0.union($1) }
            for (table, rows) in all {
                for row in rows.sorted() where try audit.erase(row: row, of: table, transaction) { count += 1 }
            }
            let changes = try NameErasure(ids, bundleID: bundleID).run(event, audit.functions, transaction)
            try exposures.replace(units, transaction)
            try audit.record(changes + [event], transaction)
            return count
        }
    }

    /// The rows that chains got after these ends. All rows of a chain before a visible row are visible, too.
    private func rows(behind ends: ChainEnds, _ transaction: Transaction) throws -> [AuditTable: Set<Int64>] {
        var rows: [AuditTable: Set<Int64>] = [:]
        for table in AuditTable.allCases {
            rows[table] = Set(try table.namingRows(ids, partitions, behind: ends, transaction))
        }
        return rows
    }
}

/// The last row of each chain.
struct ChainEnds: Sendable {
    /// The numbers of chains.
    let chains: [Int64]
    /// The last rows of the chains, in the same order.
    let rows: [Int64]

    /// Reads the present ends.
    static func read(_ transaction: Transaction) throws -> ChainEnds {
        let statements = AuditTable.allCases.map { SQLStatement(ChainedRow.lastRows(of: $0)) }
        let ends = try transaction.run(statements).flatMap { $0.map { ($0.number(0), $0.number(1)) } }
        return ChainEnds(chains: ends.map(\.0), rows: ends.map(\.1))
    }
}
