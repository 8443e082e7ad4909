import EligibilityRules
import OfferStore

/// A redemption whose signature is not known yet.
struct UntiedRedemption: Sendable {
    /// The transaction.
    let key: HistoryKey
    /// The transaction that wrote the row. It changes when the redemption must be searched again, or its subscription changes.
    let writtenBy: Int64
    /// The criteria for its signature.
    var match: RedemptionMatch
    private let originalTransaction: HistoryKey

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
    }

    /// The unsearched redemptions, the oldest first, with all ids of their customers, in two round trips.
    static func find(limit: Int, _ transaction: Transaction) throws -> [UntiedRedemption] {
        var untied = try transaction.run(
            """
            SELECT redemption.app, redemption.transaction_id, redemption.xmin::text::int8, original_transaction_id, product_id,
                offer_id, purchased_at, app.name, customer_id, app_account_token
            FROM redemption JOIN app ON app.number = redemption.app
                JOIN purchase_chain USING (app, original_transaction_id)
            WHERE nonce IS NULL AND searched_at IS NULL ORDER BY purchased_at LIMIT $1
            """, .number(Int64(limit))
        ).map { UntiedRedemption($0) }
        guard !untied.isEmpty else { return [] }
        let reading = ChainReading(.whole)
        let customers = Set(untied.compactMap(\.customer))
        let rows = Array(
            try transaction.run([
                reading.statement(.original, Set(untied.map(\.originalTransaction))), reading.statement(.customer, customers),
                aliases(of: customers),
            ]))
        let (chains, others) = (reading.lists(rows[0]), reading.lists(rows[1]))
        var names: [HistoryKey: [String]] = [:]
        rows[2].forEach { names[HistoryKey($0.number(0), $0.text(1)), default: []].append($0.text(2)) }
        for index in untied.indices {
            var known = chains[untied[index].originalTransaction] ?? []
            if let customer = untied[index].customer {
                known += others[customer] ?? []
                untied[index].match.aliases = names[customer] ?? []
            }
            for stored in known { untied[index].match.add(transactionsOf: stored.chain) }
        }
        return untied
    }

    private static func aliases(of customers: Set<HistoryKey>) -> Statement {
        Statement(
            """
            SELECT key.app, key.id, customer_id FROM unnest($1::int8[], $2::text[]) AS key (app, id)
            JOIN customer ON customer.app = key.app AND alias_of = key.id
            """, customers.values)
    }
}
