import EligibilityRules
import FoundationEssentials
import GRDB
import OfferStore

/// The rows of refund requests and consents that histories write or take along.
struct RefundRows {
    let database: Database

    /// Adds a request, which waits from now on.
    func insert(_ request: RefundRequest, app: Int64) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO refund_request (app, notification, transaction_id, original_transaction_id, product_id, reason,
                    is_advanced_commerce, requested_at, state, attempts, due_at)
                    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 'waiting', 0, ?8)
                """
        ).execute(arguments: [
            app, Data(request.notification), request.transactionID, request.originalTransactionID, request.productID,
            request.reason, request.isAdvancedCommerce, request.requestedAt.milliseconds,
        ])
    }

    /// Deletes the requests about a chain.
    func forget(chain key: HistoryKey) throws {
        try database.execute(
            sql: "DELETE FROM refund_request WHERE original_transaction_id = ? AND app = ?", arguments: [key.string, key.app])
    }

    /// Deletes the requests of the notifications in a range of row numbers.
    func forget(notificationsUpTo last: Int64) throws {
        try database.execute(
            sql: """
                DELETE FROM refund_request WHERE (app, notification) IN (SELECT app, key FROM notification
                    WHERE rowid > (SELECT blanked FROM notification_retention) AND rowid <= ?)
                """, arguments: [last])
    }

    /// Deletes what was stated under a customer's name.
    func forget(consentOf customer: HistoryKey) throws {
        try database.execute(
            sql: "DELETE FROM consumption_consent WHERE app = ? AND customer_id = ?", arguments: [customer.app, customer.string])
    }
}
