public import FoundationEssentials
import GRDB
public import OfferStore
import OfferStoreSQL

extension SQLiteLedger {
    /// Selects the request whose nonces have a series.
    static let ofSeries = "SELECT signed_request FROM nonce_series WHERE series = ?"

    /// Finds rows by the series of the nonces, in one read.
    public func entries(of nonces: [UUID]) async throws(StoreError) -> [LedgerEntry] {
        guard !nonces.isEmpty else { return [] }
        return try await store.read("look up nonces") { database in
            let sql = "SELECT id, \(LedgerEntry.columns) FROM signed_request WHERE id = (\(Self.ofSeries))"
            let statement = try database.cachedStatement(sql: sql)
            var (entries, seen): ([LedgerEntry], Set<Int64>) = ([], [])
            for nonce in nonces {
                guard let row = try Row.fetchOne(statement, arguments: [nonce.seriesBytes]), seen.insert(row[0]).inserted
                else { continue }
                let entry = try LedgerEntry(row, from: 1)
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
            try AuditTable.signatures.rows(naming: ids, LedgerEntry.columns, in: partition, slice.bounds, database)
                .map { try LedgerEntry($0) }
        }
    }

    /// Reads only the rows of the slice.
    public func refusals(
        naming ids: Set<String>,
        partition: AppPartition,
        in slice: AuditSlice
    ) async throws(StoreError) -> [LedgerRefusals] {
        try await store.scan("look for a customer's refusals") { database in
            try AuditTable.refusals.rows(naming: ids, LedgerRefusals.columns, in: partition, slice.bounds, database)
                .map { try LedgerRefusals($0) }
        }
    }
}
