import EligibilityRules
import GRDB
import OfferStore

/// The changes of histories that make events, until they are collected.
struct PurchaseEventRows {
    let database: Database

    /// Adds changes.
    func insert(_ events: [(event: PurchaseEvent, recordedAt: Instant)]) throws {
        for (event, recordedAt) in events {
            try database.cachedStatement(
                sql: """
                    INSERT INTO purchase_event (recorded_at, kind, bundle_id, at, customer_id, previous_customer_id,
                        original_transaction_id, transaction_id, product_id, offer_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(arguments: [
                recordedAt.milliseconds, event.kind.rawValue, event.partition.name, event.at.milliseconds, event.customerID,
                event.previousCustomerID, event.originalTransactionID, event.transactionID, event.productID, event.offerID,
            ])
        }
    }

    /// The highest id ever given.
    func last() throws -> Int64 {
        try Int64.fetchOne(database, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'purchase_event'") ?? 0
    }

    /// The next changes.
    func rows(after position: Int64, limit: Int) throws -> [EventRow] {
        let sql = "SELECT * FROM purchase_event WHERE id > ? ORDER BY id LIMIT ?"
        return try Row.fetchAll(database, sql: sql, arguments: [position, limit]).map { row in
            guard let kind = PurchaseEvent.Kind(rawValue: row["kind"]) else {
                throw StoreError(.damaged, "a change of a history has an unknown kind")
            }
            var event = PurchaseEvent(
                kind: kind, partition: AppPartition(name: row["bundle_id"]), at: Instant(milliseconds: row["at"]),
                customerID: row["customer_id"], originalTransactionID: row["original_transaction_id"],
                transactionID: row["transaction_id"], productID: row["product_id"], offerID: row["offer_id"])
            event.previousCustomerID = row["previous_customer_id"]
            return EventRow(position: row["id"], at: Instant(milliseconds: row["recorded_at"]), .purchase(event))
        }
    }

    /// Deletes changes whose events are stored.
    func delete(through position: Int64) throws {
        try database.execute(sql: "DELETE FROM purchase_event WHERE id <= ?", arguments: [position])
    }

    /// Deletes the changes that name a customer.
    func forget(_ customerID: String, app: Int64) throws {
        try database.execute(
            sql: """
                DELETE FROM purchase_event WHERE bundle_id = (SELECT bundle_id FROM app WHERE number = ?2)
                    AND (customer_id = ?1 OR previous_customer_id = ?1)
                """, arguments: [customerID, app])
    }
}
