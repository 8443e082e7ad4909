import EligibilityRules
import OfferStore

/// The changes of histories that make events, until they are collected.
enum PurchaseEventRows {
    /// Inserts changes.
    static func insertion(_ events: [(event: PurchaseEvent, recordedAt: Instant)]) -> Statement {
        let all = events.map(\.event)
        return Statement(
            """
            INSERT INTO purchase_event (recorded_at, kind, bundle_id, at, customer_id, previous_customer_id,
                original_transaction_id, transaction_id, product_id, offer_id)
            SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
            """,
            [
                .numbers(events.map(\.recordedAt.milliseconds)), .texts(all.map(\.kind.rawValue)),
                .texts(all.map(\.partition.name)), .numbers(all.map(\.at.milliseconds)), .texts(all.map(\.customerID)),
                .texts(all.map(\.previousCustomerID)), .texts(all.map(\.originalTransactionID)),
                .texts(all.map(\.transactionID)), .texts(all.map(\.productID)), .texts(all.map(\.offerID)),
            ])
    }

    /// Deletes the changes that name customers.
    static func forget(_ customers: [HistoryKey]) -> Statement {
        Statement(
            """
            DELETE FROM purchase_event USING unnest($1::int8[], $2::text[]) AS key (app, id), app
            WHERE app.number = key.app AND bundle_id = app.name AND (customer_id = key.id OR previous_customer_id = key.id)
            """, customers.values)
    }

    /// Selects the first changes, in the order of their transactions.
    static func first(_ limit: Int) -> Statement {
        Statement(
            """
            SELECT id, -age(xmin)::int8, recorded_at, kind, bundle_id, at, customer_id, previous_customer_id,
                original_transaction_id, transaction_id, product_id, offer_id
            FROM purchase_event ORDER BY id LIMIT $1
            """, [.number(Int64(limit))])
    }

    /// Reads such a row.
    static func row(_ row: Row) throws -> EventRow {
        guard let kind = PurchaseEvent.Kind(rawValue: row.text(3)) else {
            throw StoreError(.damaged, "a change of a history has an unknown kind")
        }
        var event = PurchaseEvent(
            kind: kind, partition: AppPartition(name: row.text(4)), at: row.instant(5), customerID: row.optionalText(6),
            originalTransactionID: row.text(8), transactionID: row.optionalText(9), productID: row.optionalText(10),
            offerID: row.optionalText(11))
        event.previousCustomerID = row.optionalText(7)
        return EventRow(position: row.number(0), transaction: row.number(1), at: row.instant(2), .purchase(event))
    }
}
