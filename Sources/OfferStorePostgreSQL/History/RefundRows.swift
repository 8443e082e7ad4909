import OfferStore

/// The writes of refund requests and consents that histories make or take along.
enum RefundRows {
    /// Adds a request, which waits from now on.
    static func insertion(_ request: RefundRequest, app: Int64) -> Statement {
        Statement(
            """
            INSERT INTO refund_request (app, notification, transaction_id, original_transaction_id, product_id, reason,
                is_advanced_commerce, requested_at, state, attempts, due_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'waiting', 0, $8)
            """,
            [
                .number(app), .bytes(request.notification), .text(request.transactionID), .text(request.originalTransactionID),
                .text(request.productID), .text(request.reason), .flag(request.isAdvancedCommerce), .instant(request.requestedAt),
            ])
    }

    /// Deletes the requests about chains.
    static func forget(chains keys: Set<HistoryKey>) -> Statement {
        Statement(
            """
            DELETE FROM refund_request USING unnest($1::int8[], $2::text[]) AS key (app, id)
            WHERE refund_request.app = key.app AND original_transaction_id = key.id
            """, keys.values)
    }

    /// Deletes the requests of the notifications in a range of numbers.
    static func forget(notificationsUpTo last: Int64) -> Statement {
        Statement(
            """
            DELETE FROM refund_request USING notification WHERE refund_request.app = notification.app
                AND refund_request.notification = notification.key
                AND number > (SELECT blanked FROM notification_retention) AND number <= $1
            """, [.number(last)])
    }

    /// Deletes what was stated under customers' names.
    static func forget(consentsOf customers: [HistoryKey]) -> Statement {
        Statement(
            """
            DELETE FROM consumption_consent USING unnest($1::int8[], $2::text[]) AS key (app, id)
            WHERE consumption_consent.app = key.app AND customer_id = key.id
            """, customers.values)
    }
}
