import EligibilityRules
import OfferStore
import OfferStoreSQL

/// A redemption whose signature is not known yet.
struct UntiedRedemption: Sendable {
    let key: HistoryKey
    /// The transaction that wrote the row. It changes when the redemption must be searched again, or its subscription changes.
    let writtenBy: Int64
    /// The criteria for its signature.
    var match: RedemptionMatch
    /// Whether anything was signed in the time in question.
    let isAnySigned: Bool
    private let originalTransaction: HistoryKey
    // A time, in ms, after which nothing is signed. A purchase may claim any time, and the search must not overflow when it adds
    // to it.
    private static let lastTime: Int64 = 1 << 53

    private var customer: HistoryKey? { match.customerID.map { HistoryKey(key.app, $0) } }

    private init(_ row: Row) {
        key = HistoryKey(row.number(0), row.text(1))
        writtenBy = row.number(2)
        originalTransaction = HistoryKey(row.number(0), row.text(3))
        let record = RedemptionRecord(
            transactionID: row.text(1), productID: row.text(4), offerID: row.text(5), purchasedAt: row.instant(6))
        match = RedemptionMatch(
            record, partition: AppPartition(name: row.text(7)), customerID: row.optionalText(8),
            appAccountToken: row.optionalText(9))
        isAnySigned = row.flag(10)
    }

    /// The unsearched redemptions, the oldest first, in two round trips.
    ///
    /// If anything was signed in the time in question, the criteria contain all ids of the customer.
    static func find(limit: Int, _ transaction: Transaction) throws -> [UntiedRedemption] {
        var untied = try transaction.run(
            """
            SELECT redemption.app, redemption.transaction_id, redemption.xmin::text::int8, original_transaction_id, product_id,
                offer_id, purchased_at, app.name, customer_id, app_account_token,
                EXISTS (SELECT 1 FROM signed_request
                    WHERE signed_at BETWEEN greatest(purchased_at, 0) - $2 AND least(purchased_at, $4) + $3)
            FROM redemption JOIN app ON app.number = redemption.app
                JOIN purchase_chain USING (app, original_transaction_id)
            WHERE nonce IS NULL AND searched_at IS NULL ORDER BY purchased_at LIMIT $1
            """, .number(Int64(limit)), .number(RedemptionMatch.longestBefore), .number(RedemptionMatch.longestAfter),
            .number(Self.lastTime)
        ).map { UntiedRedemption($0) }
        // A subscription may have thousands of periods. They are read only where a signature may be found.
        let sought = untied.indices.filter { untied[$0].isAnySigned }
        guard !sought.isEmpty else { return untied }
        let reading = ChainReading(.whole)
        let customers = Set(sought.compactMap { untied[$0].customer })
        let rows = Array(
            try transaction.run([
                reading.statement(.original, Set(sought.map { untied[$0].originalTransaction })),
                reading.statement(.customer, customers), aliases(of: customers),
            ]))
        let (chains, others) = (reading.lists(rows[0]), reading.lists(rows[1]))
        var names: [HistoryKey: [String]] = [:]
        rows[2].forEach { names[HistoryKey($0.number(0), $0.text(1)), default: []].append($0.text(2)) }
        for index in sought {
            var known = chains[untied[index].originalTransaction] ?? []
            if let customer = untied[index].customer {
                known += others[customer] ?? []
                untied[index].match.aliases = names[customer] ?? []
            }
            for stored in known { untied[index].match.add(transactionsOf: stored.chain) }
        }
        return untied
    }

    private static func aliases(of customers: Set<HistoryKey>) -> SQLStatement {
        SQLStatement(
            """
            SELECT key.app, key.id, customer_id FROM unnest($1::int8[], $2::text[]) AS key (app, id)
            JOIN customer ON customer.app = key.app AND alias_of = key.id
            """, customers.unnested)
    }
}
