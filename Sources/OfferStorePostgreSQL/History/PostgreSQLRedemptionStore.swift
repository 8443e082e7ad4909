public import EligibilityRules
public import FoundationEssentials
public import OfferStore
import OfferStoreSQL

/// Ties redemptions to ledger rows in PostgreSQL.
public struct PostgreSQLRedemptionStore: RedemptionStore {
    let store: PostgreSQLStore

    /// Works on this open store, which contains the ledger, too.
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

    /// Finds the row by the redemption's key.
    public func nonce(redeemedBy transactionID: String, partition: AppPartition) async throws(StoreError) -> UUID? {
        try await nonces(redeemedBy: [transactionID], partition: partition)[ExactText(transactionID)]
    }

    /// Finds rows by the redemptions' keys, in one read.
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

/// Redemptions with the signatures that they may belong to.
struct RedemptionTies: Sendable {
    private let found: [(redemption: UntiedRedemption, candidates: [UUID])]

    init(_ redemptions: [UntiedRedemption], _ candidates: [RedemptionCandidates]) {
        found = Array(zip(redemptions, candidates.map(\.nonces)))
    }

    /// Ties each redemption to its first signature without another redemption.
    ///
    /// Returns how many were tied.
    ///
    /// Marks all of them as searched.
    ///
    /// Leaves redemptions unchanged that another process has searched or reset. The transaction is serializable, so that no two
    /// redemptions get the same signature.
    func write(at now: Instant, _ transaction: Transaction) throws -> Int {
        let rows = Array(
            try transaction.run([
                SQLStatement(
                    """
                    SELECT place FROM unnest($1, $2, $3) WITH ORDINALITY AS key (app, id, writer, place)
                    JOIN redemption ON redemption.app = key.app AND transaction_id = key.id
                    WHERE nonce IS NULL AND searched_at IS NULL AND redemption.xmin::text::int8 = writer ORDER BY place
                    """, found.map(\.redemption.key).unnested + [.numbers(found.map(\.redemption.writtenBy))]),
                SQLStatement(
                    "SELECT nonce FROM redemption WHERE nonce = ANY ($1)", [.blobs(found.flatMap { $0.candidates.map(\.bytes) })]),
            ]))
        var taken = Set(rows[1].map { $0.nonce(0) })
        let ties = rows[0].map { row in
            let (redemption, candidates) = found[Int(row.number(0)) - 1]
            return (key: redemption.key, nonce: candidates.first { taken.insert($0).inserted })
        }
        transaction.enqueue(
            SQLStatement(
                """
                UPDATE redemption SET nonce = tie.nonce, searched_at = $4, version = version + (tie.nonce IS NOT NULL)::int
                FROM unnest($1, $2, $3) AS tie (app, id, nonce)
                WHERE redemption.app = tie.app AND transaction_id = tie.id
                """, ties.map(\.key).unnested + [.blobs(ties.map { $0.nonce?.bytes }), .instant(now)]))
        return ties.count { $0.nonce != nil }
    }
}

extension PostgreSQLRedemptionStore {
    /// Finds rows by the index on uncounted redemptions, or the index on subscriptions.
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
