public import FoundationEssentials
import GRDB
public import OfferStore

extension SQLiteLedger {
    /// Uses the series, in one read.
    public func entries(of nonces: [UUID]) async throws(StoreError) -> [LedgerEntry] {
        guard !nonces.isEmpty else { return [] }
        return try await store.read("look up nonces") { database in
            let sql = "SELECT * FROM signed_request WHERE id = (SELECT signed_request FROM nonce_series WHERE series = ?)"
            let statement = try database.cachedStatement(sql: sql)
            var (entries, seen): ([LedgerEntry], Set<Int64>) = ([], [])
            for nonce in nonces {
                guard let row = try Row.fetchOne(statement, arguments: [nonce.seriesBytes]), seen.insert(row["id"]).inserted
                else { continue }
                let entry = try LedgerEntry(row: row)
                if entry.signatures.contains(where: { $0.nonce == nonce }) { entries.append(entry) }
            }
            return entries
        }
    }

    /// Reads only the rows of the slice.
    public func entries(
        naming ids: Set<String>,
        partition: AppPartition,
        in slice: AuditSlice
    ) async throws(StoreError) -> [LedgerEntry] {
        try await store.scan("look for a customer's signatures") { database in
            try AuditTable.signatures.rows(naming: ids, in: partition, slice.bounds, database).map(LedgerEntry.init)
        }
    }

    /// Reads only the rows of the slice.
    public func refusals(
        naming ids: Set<String>,
        partition: AppPartition,
        in slice: AuditSlice
    ) async throws(StoreError) -> [LedgerRefusals] {
        try await store.scan("look for a customer's refusals") { database in
            try AuditTable.refusals.rows(naming: ids, in: partition, slice.bounds, database).map(LedgerRefusals.init)
        }
    }
}
