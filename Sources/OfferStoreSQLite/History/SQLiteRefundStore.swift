public import EligibilityRules
import FoundationEssentials
import GRDB
public import OfferStore

/// Refund requests in SQLite: one row for each notification that asked, and one for each customer's consent.
public struct SQLiteRefundStore: RefundStore {
    private let store: SQLiteStore

    /// Shares the store's writer with all other stores.
    public init(_ file: SQLiteHistoryFile) { store = file.store }

    /// Reads and defers in one transaction, so that no other caller gets the same requests.
    public func claim(
        partition: AppPartition,
        dueAt now: Instant,
        until: Instant,
        limit: Int
    ) async throws(StoreError) -> [RefundRecord] {
        // Nearly every round finds nothing, and needs no write.
        let isDue = try await store.read("look for due refund requests") { database in
            guard let app = try AppNumbers.existing(partition, database) else { return false }
            return try Bool.fetchOne(
                database, sql: "SELECT EXISTS (SELECT 1 FROM refund_request WHERE app = ? AND due_at <= ?)",
                arguments: [app, now.milliseconds])!
        }
        guard isDue else { return [] }
        return try await store.write("take due refund requests") { database in
            guard let app = try AppNumbers.existing(partition, database) else { return [] }
            let records = try Row.fetchAll(
                database, sql: "SELECT * FROM refund_request WHERE app = ? AND due_at <= ? ORDER BY due_at LIMIT ?",
                arguments: [app, now.milliseconds, limit]
            ).map { try RefundRecord($0, partition) }
            for record in records {
                try database.execute(
                    sql: "UPDATE refund_request SET due_at = ? WHERE app = ? AND notification = ?",
                    arguments: [until.milliseconds, app, Data(record.request.notification)])
            }
            return records
        }
    }

    /// Uses the table's key.
    public func note(_ progress: RefundProgress, of record: RefundRecord) async throws(StoreError) {
        try await store.write("note the progress of a refund request") { database in
            guard let app = try AppNumbers.existing(record.partition, database) else { return }
            try database.execute(
                sql: """
                    UPDATE refund_request SET state = ?, detail = ?, policy = ?, answer = ?, attempts = ?, due_at = ?,
                        settled_at = ? WHERE app = ? AND notification = ? AND state = 'waiting'
                    """,
                arguments: [
                    progress.state.rawValue, progress.detail, progress.policy, progress.answer, progress.attempts,
                    progress.dueAt?.milliseconds, progress.settledAt?.milliseconds, app, Data(record.request.notification),
                ])
        }
    }

    /// Uses the index on times.
    public func requests(
        partition: AppPartition,
        transactionIDs: [String]?,
        limit: Int
    ) async throws(StoreError) -> [RefundRecord] {
        try await store.read("read refund requests") { database in
            guard let app = try AppNumbers.existing(partition, database) else { return [] }
            return try Row.fetchAll(
                database,
                sql: """
                    SELECT * FROM refund_request WHERE app = ?1 AND (?2 IS NULL OR transaction_id IN (SELECT value FROM json_each(?2)))
                        ORDER BY requested_at DESC, notification LIMIT ?3
                    """, arguments: [app, try transactionIDs?.json, limit]
            ).map { try RefundRecord($0, partition) }
        }
    }

    /// Uses the table's key.
    public func state(
        _ consent: ConsumptionConsent,
        of customerID: String,
        partition: AppPartition
    ) async throws(StoreError) {
        try await store.write("store a consent") { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO consumption_consent (app, customer_id, is_given, stated_at) VALUES (?, ?, ?, ?)",
                arguments: [
                    try AppNumbers.number(of: partition, database), customerID, consent.isGiven, consent.statedAt.milliseconds,
                ])
        }
    }

    /// Reads one row for each name.
    public func consent(of names: [String], partition: AppPartition) async throws(StoreError) -> ConsumptionConsent? {
        try await store.read("look up a consent") { database in
            guard let app = try AppNumbers.existing(partition, database) else { return nil }
            let consents = try names.compactMap { name in
                try Row.fetchOne(
                    database, sql: "SELECT is_given, stated_at FROM consumption_consent WHERE app = ? AND customer_id = ?",
                    arguments: [app, name]
                ).map { ConsumptionConsent(isGiven: $0[0], statedAt: Instant(milliseconds: $0[1])) }
            }
            return ConsumptionConsent.latest(of: consents)
        }
    }
}

extension RefundRecord {
    fileprivate init(_ row: Row, _ partition: AppPartition) throws {
        guard let state = RefundState(rawValue: row["state"]) else {
            throw StoreError(.damaged, "a refund request has an unknown state")
        }
        self.init(
            partition: partition,
            request: RefundRequest(
                notification: Array(row["notification"] as Data), transactionID: row["transaction_id"],
                originalTransactionID: row["original_transaction_id"], productID: row["product_id"], reason: row["reason"],
                isAdvancedCommerce: row["is_advanced_commerce"], requestedAt: Instant(milliseconds: row["requested_at"])),
            progress: RefundProgress(
                state: state, detail: row["detail"], policy: row["policy"], answer: row["answer"], attempts: row["attempts"],
                dueAt: (row["due_at"] as Int64?).map(Instant.init(milliseconds:)),
                settledAt: (row["settled_at"] as Int64?).map(Instant.init(milliseconds:))))
    }
}
