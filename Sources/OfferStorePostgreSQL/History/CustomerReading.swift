import EligibilityRules
import OfferStore
import OfferStoreSQL

/// Queries for customers by name: all that decides about offers, in one round trip.
enum CustomerReading {
    // The customer that each name refers to.
    private static let named = """
        WITH named AS (
            SELECT key.app, key.id AS name, coalesce(customer.alias_of, key.id) AS customer_id
            FROM unnest($1::int8[], $2::text[]) AS key (app, id)
            LEFT JOIN customer ON customer.app = key.app AND customer.customer_id = key.id)
        """

    private static let statements = [
        """
        \(named) SELECT named.app, named.name, customer.customer_id, customer.supplied_at, customer.complete_at
        FROM named JOIN customer ON customer.app = named.app AND customer.customer_id = named.customer_id
        """,
        """
        \(named) SELECT named.app, named.name, chain.original_transaction_id, chain.updated_at, chain.gist
        FROM named JOIN purchase_chain AS chain ON chain.app = named.app AND chain.customer_id = named.customer_id
        WHERE is_subscription
        """,
        """
        \(named) SELECT account.app, account.name, chain.original_transaction_id, chain.updated_at, chain.gist
        FROM (
            SELECT DISTINCT named.app, named.name, named.customer_id, own.app_transaction_id
            FROM named JOIN purchase_chain AS own ON own.app = named.app AND own.customer_id = named.customer_id
            WHERE own.is_subscription AND own.app_transaction_id IS NOT NULL) AS account
        JOIN purchase_chain AS chain ON chain.app = account.app AND chain.app_transaction_id = account.app_transaction_id
        WHERE chain.is_subscription AND chain.customer_id IS DISTINCT FROM account.customer_id
        """,
    ]

    /// The records of customers by name. Unknown customers are left out.
    static func records(
        of names: some Collection<HistoryKey>,
        _ transaction: Transaction
    ) throws -> [HistoryKey: HistoryRecord] {
        guard !names.isEmpty else { return [:] }
        let rows = Array(try transaction.run(statements.map { SQLStatement($0, names.unnested) }))
        let (own, others) = (summaries(rows[1]), summaries(rows[2]))
        var records: [HistoryKey: HistoryRecord] = [:]
        rows[0].forEach { row in
            let key = HistoryKey(row.number(0), row.text(1))
            let times = CustomerTimes(suppliedAt: row.optionalInstant(3), completeAt: row.optionalInstant(4))
            records[key] = HistoryRecord(
                .customer(times, name: row.text(2), bytes: own[key]?.bytes ?? [], account: others[key]?.bytes ?? []))
        }
        return records
    }

    /// The times of customers. Unknown customers are left out.
    static func times(
        of customers: some Collection<HistoryKey>,
        _ transaction: Transaction
    ) throws -> [HistoryKey: CustomerTimes] {
        guard !customers.isEmpty else { return [:] }
        let sql = """
            SELECT key.app, key.id, supplied_at, complete_at FROM unnest($1::int8[], $2::text[]) AS key (app, id)
            JOIN customer ON customer.app = key.app AND customer.customer_id = key.id
            """
        var times: [HistoryKey: CustomerTimes] = [:]
        try transaction.run([SQLStatement(sql, customers.unnested)]).first!.forEach { row in
            times[HistoryKey(row.number(0), row.text(1))] = CustomerTimes(
                suppliedAt: row.optionalInstant(2), completeAt: row.optionalInstant(3))
        }
        return times
    }

    private static func summaries(_ rows: Rows) -> [HistoryKey: CustomerRecord] {
        var records: [HistoryKey: CustomerRecord] = [:]
        rows.forEach { row in
            let key = HistoryKey(row.number(0), row.text(1))
            row.withBytes(4) {
                records[key, default: CustomerRecord()].append(
                    ChainRecord.OriginalID(row.text(2)), updatedAt: row.instant(3), summary: $0)
            }
        }
        return records
    }

    /// Queries the customers that aliases refer to.
    static func aliases(_ names: some Collection<HistoryKey>) -> SQLStatement {
        SQLStatement(
            """
            SELECT key.app, key.id, alias_of FROM unnest($1::int8[], $2::text[]) AS key (app, id)
            JOIN customer ON customer.app = key.app AND customer.customer_id = key.id WHERE alias_of IS NOT NULL
            """, names.unnested)
    }

    static func aliases(of customer: HistoryKey, _ transaction: Transaction) throws -> [String] {
        try transaction.run(
            "SELECT customer_id FROM customer WHERE app = $1 AND alias_of = $2", .number(customer.app), .text(customer.string)
        ).map { $0.text(0) }
    }
}
