public import EligibilityRules
public import OfferStore

/// Receipts in PostgreSQL: one row for each subscription, and one for each unverified receipt.
public struct PostgreSQLReceiptStore: ReceiptStore {
    private let store: PostgreSQLStore

    /// Shares the store's sessions with the other stores.
    public init(_ store: PostgreSQLStore) { self.store = store }

    /// Counts the app's unverified receipts through an index.
    public func keep(_ receipt: UnverifiedReceipt, limit: Int) async throws(StoreError) {
        try await store.write("keep a receipt") { [apps = store.apps] transaction in
            let app = try apps.number(of: receipt.partition, transaction)
            transaction.enqueue(
                Statement(
                    """
                    INSERT INTO receipt (app, name, is_unverified, customer_id, kept_at, shown_at, due_at, failures, reason, sealed)
                    VALUES ($1, $2, true, $3, $4, $4, $5, 1, $6, $7)
                    ON CONFLICT (app, is_unverified, name) DO UPDATE
                    SET customer_id = excluded.customer_id, kept_at = excluded.kept_at, shown_at = excluded.shown_at,
                        due_at = excluded.due_at, failures = 1, reason = excluded.reason, sealed = excluded.sealed
                    """,
                    [
                        .number(app), .bytes(receipt.digest), .text(receipt.customerID), .instant(receipt.keptAt),
                        .instant(receipt.dueAt), .text(receipt.reason), .bytes(receipt.sealed),
                    ]))
            let count = try transaction.run("SELECT count(*) FROM receipt WHERE app = $1 AND is_unverified", .number(app))
                .first { $0.number(0) }!
            guard count > limit else { return }
            _ = try transaction.run(
                """
                DELETE FROM receipt WHERE app = $1 AND is_unverified AND name IN
                    (SELECT name FROM receipt WHERE app = $1 AND is_unverified ORDER BY kept_at LIMIT $2)
                """, .number(app), .number(count - Int64(limit)))
        }
    }

    /// Reads and defers in one statement. Skips rows that another process is claiming.
    public func claim(
        partition: AppPartition,
        dueAt now: Instant,
        until: Instant,
        limit: Int
    ) async throws(StoreError) -> [ReceiptRecord] {
        try await store.write("take due receipts", .latest) { [apps = store.apps] transaction in
            guard let app = try apps.existing(partition, transaction) else { return [] }
            let rows = try transaction.run(
                """
                WITH due AS (
                    SELECT is_unverified, name, due_at FROM receipt WHERE app = $1 AND due_at <= $2
                    ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
                UPDATE receipt SET due_at = $4 FROM due
                WHERE app = $1 AND receipt.is_unverified = due.is_unverified AND receipt.name = due.name
                RETURNING receipt.is_unverified, receipt.name, customer_id, sealed, kept_at, failures, reason, due.due_at
                """, .number(app), .instant(now), .number(Int64(limit)), .instant(until))
            return rows.map { (record: ReceiptRecord($0, partition), dueAt: $0.number(7)) }.sorted { $0.dueAt < $1.dueAt }
                .map(\.record)
        }
    }

    /// Identifies the receipt by the instant at which it was stored.
    public func note(_ failure: ReceiptFailure, of record: ReceiptRecord) async throws(StoreError) {
        try await store.write("note a failure about a receipt") { [apps = store.apps] transaction in
            guard let app = try apps.existing(record.partition, transaction) else { return }
            _ = try transaction.run(
                """
                UPDATE receipt SET reason = $4, failures = $5, due_at = $6
                WHERE app = $1 AND is_unverified = $2 AND name = $3 AND kept_at = $7
                """, .number(app), .flag(record.name.isUnverified), .bytes(record.name.bytes), .text(failure.reason),
                .number(Int64(failure.failures)), .instant(failure.dueAt), .instant(record.keptAt))
        }
    }

    /// Uses the table's key.
    public func remove(_ name: ReceiptName, partition: AppPartition) async throws(StoreError) {
        try await store.write("remove a receipt") { [apps = store.apps] transaction in
            guard let app = try apps.existing(partition, transaction) else { return }
            _ = try transaction.run(
                "DELETE FROM receipt WHERE app = $1 AND is_unverified = $2 AND name = $3", .number(app),
                .flag(name.isUnverified), .bytes(name.bytes))
        }
    }

    /// Uses the table's key, and the indexes on chains and on customers' receipts.
    public func forget(_ ids: Set<String>, partition: AppPartition) async throws(StoreError) -> Int {
        try await store.write("forget receipts") { [apps = store.apps] transaction in
            guard let app = try apps.existing(partition, transaction) else { return 0 }
            let values: [Value] = [.number(app), .texts(Array(ids))]
            let rows = try transaction.run([
                Statement("DELETE FROM receipt WHERE app = $1 AND is_unverified AND customer_id = ANY ($2)", values),
                Statement(
                    """
                    WITH named AS (
                        SELECT unnest($2) AS id UNION
                        SELECT original_transaction_id FROM purchase_transaction WHERE app = $1 AND transaction_id = ANY ($2) UNION
                        SELECT original_transaction_id FROM purchase_chain WHERE app = $1 AND customer_id = ANY ($2) UNION
                        SELECT original_transaction_id FROM purchase_chain WHERE app = $1 AND app_account_token = ANY ($2))
                    DELETE FROM receipt USING named WHERE app = $1 AND NOT is_unverified AND name = convert_to(named.id, 'UTF8')
                    """, values),
            ])
            return rows.reduce(0) { $0 + $1.changes }
        }
    }

    /// Uses the index on ages.
    public func pruneUnverified(before instant: Instant, limit: Int) async throws(StoreError) -> Int {
        try await store.write("remove receipts that were never verified") { transaction in
            try transaction.run(
                """
                DELETE FROM receipt WHERE is_unverified AND (app, name) IN (
                    SELECT app, name FROM receipt WHERE is_unverified AND kept_at < $1 LIMIT $2)
                """, .instant(instant), .number(Int64(limit))
            ).changes
        }
    }

    /// Scans the whole table.
    public func counts() async throws(StoreError) -> [ReceiptCount] {
        try await store.scan("count receipts") { transaction in
            let rows = try transaction.run(
                """
                SELECT app.name, reason, count(*) FROM receipt JOIN app ON number = app
                GROUP BY app.name, reason ORDER BY app.name, reason NULLS FIRST
                """)
            return rows.map {
                ReceiptCount(partition: AppPartition(name: $0.text(0)), reason: $0.optionalText(1), count: Int($0.number(2)))
            }
        }
    }

    /// Scans the whole table.
    public func counts(byPrefix length: Int) async throws(StoreError) -> [[UInt8]: Int] {
        try await store.scan("count receipts by key") { transaction in
            var counts: [[UInt8]: Int] = [:]
            let rows = try transaction.run(
                "SELECT substring(sealed FROM 1 FOR $1::int4) AS prefix, count(*) FROM receipt GROUP BY prefix",
                .number(Int64(length)))
            rows.forEach { counts[$0.bytes(0)] = Int($0.number(1)) }
            return counts
        }
    }
}

extension ReceiptName {
    /// The receipt's key in the table.
    fileprivate var bytes: [UInt8] {
        switch self {
        case .subscription(let id): Array(id.utf8)
        case .unverified(let digest): digest
        }
    }
}

extension ReceiptRecord {
    fileprivate init(_ row: Row, _ partition: AppPartition) {
        self.init(
            partition: partition, name: row.flag(0) ? .unverified(row.bytes(1)) : .subscription(row.text(1)),
            customerID: row.optionalText(2), sealed: row.bytes(3), keptAt: row.instant(4), failures: Int(row.number(5)),
            reason: row.optionalText(6))
    }
}
