package import EligibilityRules
package import OfferStore

/// Refund requests: one row for each notification that asked, and one for each customer's consent.
package struct SQLRefundStore<Store: SQLStore>: RefundStore {
    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// Reads and defers in one transaction. Skips rows that another process is claiming.
    package func claim(
        partition: AppPartition,
        dueAt now: Instant,
        until: Instant,
        limit: Int
    ) async throws(StoreError) -> [RefundRecord] {
        if Store.Transaction.dialect.hasOneWriter {
            // Nearly every round finds nothing due, and a read does not delay writes.
            let isDue = try await store.read("look for due refund requests") { transaction in
                guard let app = try transaction.number(of: partition) else { return false }
                let sql = "SELECT 1 FROM refund_request WHERE app = $1 AND due_at <= $2 LIMIT 1"
                return try transaction.run(sql, .number(app), .instant(now)).first { _ in true } ?? false
            }
            guard isDue else { return [] }
        }
        return try await store.write("take due refund requests", .latest) { transaction in
            guard let app = try transaction.number(of: partition) else { return [] }
            let records = try transaction.run(
                """
                \(RefundRecord.selection) WHERE app = $1 AND due_at <= $2
                ORDER BY due_at LIMIT $3 \(Store.Transaction.dialect.skippingLocked)
                """, .number(app), .instant(now), .number(Int64(limit))
            ).map { try RefundRecord($0, partition) }
            for record in records {
                try transaction.enqueue(
                    "UPDATE refund_request SET due_at = $1 WHERE app = $2 AND notification = $3",
                    [.instant(until), .number(app), .bytes(record.request.notification)])
            }
            return records
        }
    }

    /// Finds rows by the table's key.
    package func note(_ progress: RefundProgress, of record: RefundRecord) async throws(StoreError) {
        try await store.write("note the progress of a refund request", .serializable) { transaction in
            guard let app = try transaction.number(of: record.partition) else { return }
            try transaction.enqueue(
                """
                UPDATE refund_request SET state = $3, detail = $4, policy = $5, answer = $6, attempts = $7, due_at = $8,
                    settled_at = $9 WHERE app = $1 AND notification = $2 AND state = 'waiting'
                """, .number(app), .bytes(record.request.notification), .text(progress.state.rawValue), .text(progress.detail),
                .text(progress.policy), .text(progress.answer), .number(Int64(progress.attempts)), .instant(progress.dueAt),
                .instant(progress.settledAt))
        }
    }

    /// Finds rows by the index on times.
    package func requests(
        partition: AppPartition,
        transactionIDs: [String]?,
        limit: Int
    ) async throws(StoreError) -> [RefundRecord] {
        try await store.read("read refund requests") { transaction in
            guard let app = try transaction.number(of: partition) else { return [] }
            return try transaction.run(
                """
                \(RefundRecord.selection)
                WHERE app = $1 AND ($2 OR transaction_id \(Store.Transaction.dialect.isAny("$4")))
                ORDER BY requested_at DESC, notification LIMIT $3
                """, .number(app), .flag(transactionIDs == nil), .number(Int64(limit)), .texts(transactionIDs ?? [])
            ).map { try RefundRecord($0, partition) }
        }
    }

    /// Inserts a row, or replaces the one with the same key.
    package func state(
        _ consent: ConsumptionConsent,
        of customerID: String,
        partition: AppPartition
    ) async throws(StoreError) {
        try await store.write("store a consent", .serializable) { transaction in
            try transaction.enqueue(
                """
                INSERT INTO consumption_consent (app, customer_id, is_given, stated_at) VALUES ($1, $2, $3, $4)
                ON CONFLICT (app, customer_id) DO UPDATE SET is_given = excluded.is_given, stated_at = excluded.stated_at
                """, .number(try transaction.takeNumber(of: partition)), .text(customerID), .flag(consent.isGiven),
                .instant(consent.statedAt))
        }
    }

    /// Finds rows by the table's key.
    package func consent(of names: [String], partition: AppPartition) async throws(StoreError) -> ConsumptionConsent? {
        try await store.read("look up a consent") { transaction in
            guard let app = try transaction.number(of: partition) else { return nil }
            let consents = try transaction.run(
                """
                SELECT is_given, stated_at FROM consumption_consent
                WHERE app = $1 AND customer_id \(Store.Transaction.dialect.isAny("$2"))
                """, .number(app), .texts(names)
            ).map { ConsumptionConsent(isGiven: $0.flag(0), statedAt: $0.instant(1)) }
            return ConsumptionConsent.latest(of: consents)
        }
    }
}

extension RefundRecord {
    fileprivate static let selection = """
        SELECT notification, transaction_id, original_transaction_id, product_id, reason, is_advanced_commerce, requested_at,
            state, detail, policy, answer, attempts, due_at, settled_at FROM refund_request
        """

    /// - Parameter row: a row of the `selection`.
    fileprivate init(_ row: some SQLRow, _ partition: AppPartition) throws {
        guard let state = RefundState(rawValue: row.text(7)) else {
            throw StoreError(.damaged, "a refund request has an unknown state")
        }
        self.init(
            partition: partition,
            request: RefundRequest(
                notification: row.bytes(0), transactionID: row.text(1), originalTransactionID: row.text(2),
                productID: row.text(3), reason: row.optionalText(4), isAdvancedCommerce: row.flag(5),
                requestedAt: row.instant(6)),
            progress: RefundProgress(
                state: state, detail: row.optionalText(8), policy: row.optionalText(9), answer: row.optionalText(10),
                attempts: Int(row.number(11)), dueAt: row.optionalInstant(12), settledAt: row.optionalInstant(13)))
    }
}

extension RefundRequest {
    /// Adds the request, which waits from now on.
    package func insert(app: Int64, _ transaction: some SQLTransaction) throws {
        try transaction.enqueue(
            """
            INSERT INTO refund_request (app, notification, transaction_id, original_transaction_id, product_id, reason,
                is_advanced_commerce, requested_at, state, attempts, due_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'waiting', 0, $8)
            """,
            [
                .number(app), .bytes(notification), .text(transactionID), .text(originalTransactionID), .text(productID),
                .text(reason), .flag(isAdvancedCommerce), .instant(requestedAt),
            ])
    }
}

extension SQLTransaction {
    /// Deletes the refund requests about a subscription, or about a purchase that was made once.
    package func forgetRefundRequests(ofChain key: HistoryKey) throws {
        try enqueue(
            "DELETE FROM refund_request WHERE app = $1 AND original_transaction_id = $2", .number(key.app), .text(key.string))
    }

    /// Deletes what was stated under a customer's name.
    package func forgetConsent(of customer: HistoryKey) throws {
        try enqueue(
            "DELETE FROM consumption_consent WHERE app = $1 AND customer_id = $2", .number(customer.app), .text(customer.string))
    }

    /// Deletes the changes of histories that name a customer.
    package func forgetPurchaseEvents(of customer: HistoryKey) throws {
        try enqueue(
            """
            DELETE FROM purchase_event WHERE bundle_id = (SELECT name FROM app WHERE number = $1)
                AND (customer_id = $2 OR previous_customer_id = $2)
            """, .number(customer.app), .text(customer.string))
    }
}
