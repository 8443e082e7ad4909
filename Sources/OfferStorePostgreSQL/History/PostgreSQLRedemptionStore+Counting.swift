import EligibilityRules
import FoundationEssentials
public import OfferStore
import OfferStoreSQL

extension PostgreSQLRedemptionStore {
    /// Uses the index on uncounted redemptions, or the index on subscriptions.
    public func uncounted(
        partition: AppPartition?,
        originalTransactionID: String?,
        limit: Int
    ) async throws(StoreError) -> [UncountedRedemption] {
        var condition = "counted <> version ORDER BY purchased_at LIMIT $1"
        var values: [SQLValue] = [.number(Int64(limit))]
        if let originalTransactionID {
            condition = "counted <> version AND app.name = $2 AND original_transaction_id = $3 LIMIT $1"
            values += [.text(partition?.name), .text(originalTransactionID)]
        }
        let redemptions = SQLStatement(
            """
            SELECT redemption.app, original_transaction_id, transaction_id, version, nonce, app.name
            FROM redemption JOIN app ON app.number = redemption.app WHERE \(condition)
            """, values)
        return try await store.read("look for uncounted redemptions") { transaction in
            let rows = try transaction.run([redemptions]).first!
            let keys = rows.map { HistoryKey($0.number(0), $0.text(1)) }
            guard !keys.isEmpty else { return [] }
            let reading = ChainReading(.whole)
            let found = Array(try transaction.run([reading.statement(.original, Set(keys)), Self.recorded(of: Set(keys))]))
            let chains = reading.lists(found[0])
            var recorded: [HistoryKey: [String]] = [:]
            found[1].forEach { recorded[HistoryKey($0.number(0), $0.text(1)), default: []].append($0.text(2)) }
            return rows.map { row -> UncountedRedemption? in
                let key = HistoryKey(row.number(0), row.text(1))
                guard let stored = chains[key]?.first else { return nil }
                return UncountedRedemption(
                    partition: AppPartition(name: row.text(5)), transactionID: row.text(2), version: row.number(3),
                    nonce: row.isNull(4) ? nil : row.nonce(4), chain: stored.chain, recorded: recorded[key] ?? [])
            }.compactMap(\.self)
        }
    }

    private static func recorded(of chains: Set<HistoryKey>) -> SQLStatement {
        SQLStatement(
            """
            SELECT key.app, key.id, transaction_id FROM unnest($1::int8[], $2::text[]) AS key (app, id)
            JOIN redemption ON redemption.app = key.app AND original_transaction_id = key.id
            """, chains.unnested)
    }

    /// Updates all in one statement.
    public func noteCounted(_ redemptions: [UncountedRedemption]) async throws(StoreError) {
        guard !redemptions.isEmpty else { return }
        try await store.write("note counted redemptions", .latest) { transaction in
            try transaction.enqueue(
                """
                UPDATE redemption SET counted = redemption.version
                FROM unnest($1, $2, $3) AS noted (name, id, version) JOIN app ON app.name = noted.name
                WHERE redemption.app = app.number AND transaction_id = noted.id AND redemption.version = noted.version
                """, .texts(redemptions.map(\.partition.name)), .texts(redemptions.map(\.transactionID)),
                .numbers(redemptions.map(\.version)))
        }
    }
}
