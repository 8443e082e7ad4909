public import EligibilityRules
public import FoundationEssentials
public import OfferStore
import OfferStoreSQL

/// Ties redemptions to ledger rows in PostgreSQL.
public struct PostgreSQLRedemptionStore: RedemptionStore {
    let store: PostgreSQLStore

    /// Uses an open store, which contains the ledger, too.
    public init(_ store: PostgreSQLStore) { self.store = store }

    /// Searches beside the writers, then records in one transaction what still holds.
    public func tieRedemptions(
        limit: Int,
        now: Instant
    ) async throws(StoreError) -> (examined: Int, tied: Int) {
        let purpose = "look for the signatures of redemptions"
        let untied = try await store.read(purpose) { try UntiedRedemption.find(limit: limit, $0) }
        guard !untied.isEmpty else { return (0, 0) }
        var search = RedemptionSearch(untied)
        while !search.isDone {
            search = try await store.read(purpose) { [search] transaction in
                var search = search
                try search.step(transaction)
                return search
            }
        }
        let ties = RedemptionTies(untied, search.candidates)
        return (untied.count, try await store.write("tie redemptions to signatures") { try ties.write(at: now, $0) })
    }

    /// Uses the redemption's key.
    public func nonce(redeemedBy transactionID: String, partition: AppPartition) async throws(StoreError) -> UUID? {
        try await nonces(redeemedBy: [transactionID], partition: partition)[ExactText(transactionID)]
    }

    /// Uses the redemptions' keys, in one read.
    public func nonces(redeemedBy transactionIDs: [String], partition: AppPartition) async throws(StoreError) -> [ExactText: UUID]
    {
        guard !transactionIDs.isEmpty else { return [:] }
        return try await store.read("look up redemptions") { transaction in
            let rows = try transaction.run(
                """
                SELECT transaction_id, nonce FROM redemption
                WHERE app = (SELECT number FROM app WHERE name = $1) AND transaction_id = ANY ($2) AND nonce IS NOT NULL
                """, .text(partition.name), .texts(transactionIDs))
            return Dictionary(
                rows.map { (ExactText($0.text(0)), $0.nonce(1)) }, uniquingKeysWith: { first, _ in first })
        }
    }
}
