public import EligibilityRules
public import OfferStore

/// Refund requests in PostgreSQL: one row for each notification that asked, and one for each customer's consent.
public struct PostgreSQLRefundStore: RefundStore {
    private static let columns = """
        request.notification, transaction_id, original_transaction_id, product_id, reason, is_advanced_commerce, requested_at,
        state, detail, policy, answer, attempts, request.due_at, settled_at
        """

    private let store: PostgreSQLStore

    /// Shares the store's sessions with the other stores.
    public init(_ store: PostgreSQLStore) { self.store = store }

    /// Reads and defers in one statement. Skips rows that another process is claiming.
    public func claim(
        partition: AppPartition,
        dueAt now: Instant,
        until: Instant,
        limit: Int
    ) async throws(StoreError) -> [RefundRecord] {
        try await store.write("take due refund requests", .latest) { [apps = store.apps] transaction in
            guard let app = try apps.existing(partition, transaction) else { return [] }
            let rows = try transaction.run(
                """
                WITH due AS (
                    SELECT notification, due_at FROM refund_request WHERE app = $1 AND due_at <= $2
                    ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
                UPDATE refund_request AS request SET due_at = $4 FROM due
                WHERE app = $1 AND request.notification = due.notification
                RETURNING \(Self.columns), due.due_at
                """, .number(app), .instant(now), .number(Int64(limit)), .instant(until))
            return try rows.map { (record: try RefundRecord($0, partition, dueAt: $0.optionalInstant(14)), dueAt: $0.number(14)) }
                .sorted { $0.dueAt < $1.dueAt }.map(\.record)
        }
    }

    /// Uses the table's key.
    public func note(_ progress: RefundProgress, of record: RefundRecord) async throws(StoreError) {
        try await store.write("note the progress of a refund request") { [apps = store.apps] transaction in
            guard let app = try apps.existing(record.partition, transaction) else { return }
            _ = try transaction.run(
                """
                UPDATE refund_request SET state = $3, detail = $4, policy = $5, answer = $6, attempts = $7, due_at = $8,
                    settled_at = $9 WHERE app = $1 AND notification = $2 AND state = 'waiting'
                """, .number(app), .bytes(record.request.notification), .text(progress.state.rawValue), .text(progress.detail),
                .text(progress.policy), .text(progress.answer), .number(Int64(progress.attempts)), .instant(progress.dueAt),
                .instant(progress.settledAt))
        }
    }

    /// Uses the index on times.
    public func requests(
        partition: AppPartition,
        transactionIDs: [String]?,
        limit: Int
    ) async throws(StoreError) -> [RefundRecord] {
        try await store.read("read refund requests") { [apps = store.apps] transaction in
            guard let app = try apps.existing(partition, transaction) else { return [] }
            return try transaction.run(
                """
                SELECT \(Self.columns) FROM refund_request AS request
                WHERE app = $1 AND ($2 OR transaction_id = ANY ($4))
                ORDER BY requested_at DESC, notification LIMIT $3
                """, .number(app), .flag(transactionIDs == nil), .number(Int64(limit)), .texts(transactionIDs ?? [])
            ).map { try RefundRecord($0, partition, dueAt: $0.optionalInstant(12)) }
        }
    }

    /// Uses the table's key.
    public func state(
        _ consent: ConsumptionConsent,
        of customerID: String,
        partition: AppPartition
    ) async throws(StoreError) {
        try await store.write("store a consent") { [apps = store.apps] transaction in
            _ = try transaction.run(
                """
                INSERT INTO consumption_consent (app, customer_id, is_given, stated_at) VALUES ($1, $2, $3, $4)
                ON CONFLICT (app, customer_id) DO UPDATE SET is_given = excluded.is_given, stated_at = excluded.stated_at
                """, .number(try apps.number(of: partition, transaction)), .text(customerID), .flag(consent.isGiven),
                .instant(consent.statedAt))
        }
    }

    /// Uses the table's key.
    public func consent(of names: [String], partition: AppPartition) async throws(StoreError) -> ConsumptionConsent? {
        try await store.read("look up a consent") { [apps = store.apps] transaction in
            guard let app = try apps.existing(partition, transaction) else { return nil }
            return ConsumptionConsent.latest(
                of: try transaction.run(
                    "SELECT is_given, stated_at FROM consumption_consent WHERE app = $1 AND customer_id = ANY ($2)",
                    .number(app), .texts(names)
                ).map { ConsumptionConsent(isGiven: $0.flag(0), statedAt: $0.instant(1)) })
        }
    }
}

extension RefundRecord {
    fileprivate init(_ row: Row, _ partition: AppPartition, dueAt: Instant?) throws {
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
                attempts: Int(row.number(11)), dueAt: dueAt, settledAt: row.optionalInstant(13)))
    }
}
