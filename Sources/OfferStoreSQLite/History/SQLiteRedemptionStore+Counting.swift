import EligibilityRules
import FoundationEssentials
import GRDB
public import OfferStore

extension SQLiteRedemptionStore {
    /// Finds rows by the index on uncounted redemptions, or the index on subscriptions.
    public func uncounted(
        partition: AppPartition?,
        originalTransactionID: String?,
        limit: Int
    ) async throws(StoreError) -> [UncountedRedemption] {
        try await histories.read("look for uncounted redemptions") { [hash] database in
            var condition = "counted <> version ORDER BY purchased_at LIMIT ?"
            var arguments: StatementArguments = [limit]
            if let originalTransactionID {
                condition = """
                    counted <> version AND chain = (SELECT id FROM purchase_chain WHERE original_transaction_id = ?
                        AND app = (SELECT number FROM app WHERE name = ?)) LIMIT ?
                    """
                arguments = [originalTransactionID.storedID, partition?.name, limit]
            }
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT transaction_id, app, nonce, version, (SELECT name FROM app WHERE number = redemption.app),
                        (SELECT original_transaction_id FROM purchase_chain WHERE id = chain), chain
                    FROM redemption WHERE \(condition)
                    """,
                arguments: arguments)
            let reading = try HistoryReading(database, .whole, hash)
            // Once for all redemptions of a subscription, which may have thousands of periods.
            var chains: [HistoryKey: (PurchaseChain, recorded: [String])?] = [:]
            return try rows.compactMap { row in
                let key = HistoryKey(row[1], text(row[5]))
                if chains[key] == nil {
                    chains[key] = .some(
                        try reading.chain(originalTransactionID: key).map { stored in
                            let recorded =
                                stored.chain.hasCopies
                                ? try DatabaseValue.fetchAll(
                                    database, sql: "SELECT transaction_id FROM redemption WHERE chain = ?",
                                    arguments: [row[6] as Int64]) : []
                            return (stored.chain, recorded.map(text))
                        })
                }
                guard let (chain, recorded) = chains[key] ?? nil else { return nil }
                return UncountedRedemption(
                    partition: AppPartition(name: row[4]), transactionID: text(row[0]), version: row[3],
                    nonce: (row[2] as Data?).flatMap(UUID.init(databaseBytes:)), chain: chain, recorded: recorded)
            }
        }
    }

    /// Updates all in one transaction.
    public func noteCounted(_ redemptions: [UncountedRedemption]) async throws(StoreError) {
        guard !redemptions.isEmpty else { return }
        try await histories.write("note counted redemptions") { database in
            for redemption in redemptions {
                try database.cachedStatement(
                    sql: """
                        UPDATE redemption SET counted = version WHERE transaction_id = ? AND version = ?
                            AND app = (SELECT number FROM app WHERE name = ?)
                        """
                ).execute(arguments: [redemption.transactionID.storedID, redemption.version, redemption.partition.name])
            }
        }
    }
}

/// An App Store id, which the store keeps as a number if it is one.
private func text(_ value: DatabaseValue) -> String {
    Int64.fromDatabaseValue(value).map { String($0) } ?? String.fromDatabaseValue(value) ?? ""
}
