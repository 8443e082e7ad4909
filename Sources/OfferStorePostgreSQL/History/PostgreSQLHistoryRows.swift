import EligibilityRules
package import OfferStore
import OfferStoreSQL

/// The rows of histories within a transaction: one statement for each kind of row, however many there are.
package final class PostgreSQLHistoryRows: HistoryRows {
    package let keepsEvents: Bool
    private let transaction: Transaction
    private let hash: SipHash
    private let reading = ChainReading(.whole)
    private var numbers: [AppPartition: Int64] = [:]

    /// - Parameters:
    ///   - hash: the store's hash of customers' names.
    ///   - keepsEvents: whether changes that make events are recorded.
    init(_ transaction: Transaction, _ hash: SipHash, keepsEvents: Bool = false) {
        (self.transaction, self.hash, self.keepsEvents) = (transaction, hash, keepsEvents)
    }

    package func number(ofApp partition: AppPartition) throws -> Int64 {
        if let number = numbers[partition] { return number }
        let number = try transaction.takeNumber(of: partition)
        numbers[partition] = number
        return number
    }

    package func find(_ keys: HistoryKeys) throws -> HistoryFacts {
        var facts = HistoryFacts()
        var statements: [SQLStatement] = []
        var takers: [(Rows) -> Void] = []
        func ask(_ keys: Set<HistoryKey>, _ statement: (Set<HistoryKey>) -> SQLStatement, _ take: @escaping (Rows) -> Void) {
            guard !keys.isEmpty else { return }
            statements.append(statement(keys))
            takers.append(take)
        }
        ask(keys.names, CustomerReading.aliases) { rows in
            rows.forEach { facts.names[HistoryKey($0.number(0), $0.text(1))] = $0.text(2) }
        }
        ask(keys.chains, { reading.statement(.original, $0) }) { [reading] rows in
            for (key, chain) in reading.chains(rows) { facts.chains[key] = chain }
        }
        ask(keys.transactions, reading.statement(ofTransactions:)) { [reading] rows in
            for (key, chain) in reading.chains(rows) { facts.transactions[key] = chain }
        }
        ask(keys.transactions, { reading.statement(.original, $0) }) { [reading] rows in
            for (key, chain) in reading.chains(rows) { facts.transactions[key] = chain }
        }
        ask(keys.successors, { reading.statement(.previous, $0) }) { [reading] in facts.successors = reading.lists($0) }
        ask(keys.tokens, { reading.statement(.token, $0) }) { [reading] in facts.tokens = reading.lists($0) }
        ask(keys.customers, { reading.statement(.customer, $0) }) { [reading] in facts.customers = reading.lists($0) }
        ask(keys.receipts, Self.receipts) { rows in
            for (key, state) in rows.map({ (HistoryKey($0.number(0), $0.text(1)), ReceiptState($0, from: 2)) }) {
                facts.receipts[key] = state
            }
        }
        ask(keys.products, Self.groups) { rows in
            rows.forEach { row in
                facts.groups[HistoryKey(row.number(0), row.text(1))] = SeenGroup(
                    productID: row.text(1), groupID: row.text(2), purchasedAt: row.instant(3))
            }
        }
        for (rows, take) in zip(try transaction.run(statements), takers) { take(rows) }
        facts.customerSummaries = try CustomerReading.records(of: keys.customerSummaries, transaction)
        // `accounts` has no result: in this store no customer's row contains other customers' chains.
        return facts
    }

    private static func groups(_ keys: Set<HistoryKey>) -> SQLStatement {
        SQLStatement(
            """
            SELECT key.app, key.id, group_id, purchased_at FROM unnest($1::int8[], $2::text[]) AS key (app, id)
            JOIN seen_group ON seen_group.app = key.app AND product_id = key.id
            """, keys.unnested)
    }

    package func keep(_ notifications: [(key: NotificationKey, record: NotificationRecord)]) throws -> Set<NotificationKey> {
        let records = notifications.map(\.record)
        let new = try transaction.run(
            """
            INSERT INTO notification (app, key, version, type, subtype, original_transaction_id, received_at, body)
            SELECT app, key, version, type, subtype, original_transaction_id, received_at, body
            FROM unnest($1::int8[], $2::bytea[], $3::int8[], $4::text[], $5::text[], $6::text[], $7::int8[], $8::bytea[])
                WITH ORDINALITY
                AS news (app, key, version, type, subtype, original_transaction_id, received_at, body, place)
            ORDER BY place
            ON CONFLICT DO NOTHING RETURNING app, key
            """,
            .numbers(notifications.map(\.key.app)), .blobs(records.map(\.key)), .numbers(records.map { Int64($0.version) }),
            .texts(records.map(\.type)), .texts(records.map(\.subtype)), .texts(records.map(\.originalTransactionID)),
            .numbers(records.map(\.receivedAt.milliseconds)), .blobs(records.map(\.body)))
        return Set(new.map { NotificationKey(app: $0.number(0), key: $0.bytes(1)) })
    }

    private static func receipts(_ keys: Set<HistoryKey>) -> SQLStatement {
        SQLStatement(
            """
            SELECT key.app, key.id, \(ReceiptState.columns) FROM unnest($1::int8[], $2::text[]) AS key (app, id)
            JOIN receipt ON receipt.app = key.app AND NOT is_unverified AND name = convert_to(key.id, 'UTF8')
            """, keys.unnested)
    }

    package func write(_ news: HistoryNews) throws {
        for statement in ChainRows.statements(news.chains) { transaction.enqueue(statement) }
        for (key, receipt) in news.receipts.sorted(by: { $0.key < $1.key }) { try receipt.write(of: key, transaction) }
        for (event, recordedAt) in news.events { try event.insert(recordedAt: recordedAt, transaction) }
        for (app, request) in news.refunds { try request.insert(app: app, transaction) }
        guard !news.groups.isEmpty else { return }
        let groups = news.groups.sorted { $0.key < $1.key }
        transaction.enqueue(
            SQLStatement(
                """
                INSERT INTO seen_group (app, product_id, group_id, purchased_at)
                SELECT * FROM unnest($1::int8[], $2::text[], $3::text[], $4::int8[])
                ON CONFLICT (app, product_id) DO UPDATE
                SET group_id = excluded.group_id, purchased_at = excluded.purchased_at
                """,
                groups.map(\.key).unnested + [
                    .texts(groups.map(\.value.groupID)), .numbers(groups.map(\.value.purchasedAt.milliseconds)),
                ]))
    }

    package func rebuildSummaries(_ customers: [HistoryKey: CustomerTimes]) throws {
        let dated = customers.filter { $0.value != CustomerTimes() }
        let known = try CustomerReading.times(of: dated.keys, transaction)
        let merged = dated.map { key, news in (key, known[key]?.merged(with: news) ?? news) }
        let undated = customers.keys.filter { dated[$0] == nil }
        if !undated.isEmpty { transaction.enqueue(insertion(undated.map { ($0, CustomerTimes()) }, "NOTHING")) }
        if !merged.isEmpty {
            transaction.enqueue(
                insertion(merged, "UPDATE SET supplied_at = excluded.supplied_at, complete_at = excluded.complete_at"))
        }
    }

    private func insertion(_ customers: [(HistoryKey, CustomerTimes)], _ otherwise: String) -> SQLStatement {
        let customers = customers.sorted { $0.0 < $1.0 }
        return SQLStatement(
            """
            INSERT INTO customer (app, customer_id, place, supplied_at, complete_at)
            SELECT * FROM unnest($1::int8[], $2::text[], $3::int8[], $4::int8[], $5::int8[])
            ON CONFLICT (app, customer_id) DO \(otherwise)
            """,
            customers.map(\.0).unnested + [
                .numbers(customers.map { place(of: $0.0) }),
                .numbers(customers.map { $0.1.suppliedAt?.milliseconds }),
                .numbers(customers.map { $0.1.completeAt?.milliseconds }),
            ])
    }

    private func place(of customer: HistoryKey) -> Int64 {
        var name = customer.string
        return Int64(bitPattern: name.withUTF8 { hash.hash(UnsafeRawBufferPointer($0)) })
    }

    package func alias(_ name: HistoryKey, of customerID: String, _ times: CustomerTimes) throws {
        try transaction.enqueue(
            "UPDATE customer SET alias_of = $3 WHERE app = $1 AND alias_of = $2", .number(name.app), .text(name.string),
            .text(customerID))
        let update = "UPDATE SET supplied_at = excluded.supplied_at, complete_at = excluded.complete_at"
        transaction.enqueue(insertion([(name, CustomerTimes()), (HistoryKey(name.app, customerID), times)], update))
        try transaction.enqueue(
            "UPDATE customer SET alias_of = nullif($3, customer_id) WHERE app = $1 AND customer_id IN ($2, $3)",
            .number(name.app), .text(name.string), .text(customerID))
    }

    package func aliases(of customer: HistoryKey) throws -> [String] { try CustomerReading.aliases(of: customer, transaction) }

    package func blankNotifications(ofChains keys: Set<HistoryKey>) throws -> Int {
        try keys.reduce(0) { try $0 + transaction.blankNotifications(ofChain: $1) }
    }

    package func forget(_ customers: [HistoryKey]) throws -> Bool {
        for customer in customers {
            try transaction.forgetPurchaseEvents(of: customer)
            try transaction.forgetConsent(of: customer)
        }
        let sql = """
            DELETE FROM customer USING unnest($1::int8[], $2::text[]) AS key (app, id)
            WHERE customer.app = key.app AND customer_id = key.id
            """
        return try transaction.run([SQLStatement(sql, customers.unnested)]).first!.changes > 0
    }
}
