package import EligibilityRules
package import OfferStore

extension PurchaseEvent {
    /// The columns of `purchase_event` that `init(_:from:)` reads, the first of them the time when the change was recorded.
    package static let columns = """
        recorded_at, kind, bundle_id, at, customer_id, previous_customer_id, original_transaction_id, transaction_id, product_id,
        offer_id
        """

    /// Keeps the change until its event is made.
    package func insert(recordedAt: Instant, _ transaction: some SQLTransaction) throws {
        try transaction.enqueue(
            "INSERT INTO purchase_event (\(Self.columns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
            [
                .instant(recordedAt), .text(kind.rawValue), .text(partition.name), .instant(at), .text(customerID),
                .text(previousCustomerID), .text(originalTransactionID), .text(transactionID), .text(productID), .text(offerID),
            ])
    }

    /// Reads these columns of a row, beginning with the column `first`. Throws `damaged` if they are invalid.
    package init(_ row: some SQLRow, from first: Int32) throws {
        guard let kind = Kind(rawValue: row.text(first + 1)) else {
            throw StoreError(.damaged, "a change of a history has an unknown kind")
        }
        self.init(
            kind: kind, partition: AppPartition(name: row.text(first + 2)), at: row.instant(first + 3),
            customerID: row.optionalText(first + 4), originalTransactionID: row.text(first + 6),
            transactionID: row.optionalText(first + 7), productID: row.optionalText(first + 8),
            offerID: row.optionalText(first + 9))
        previousCustomerID = row.optionalText(first + 5)
    }
}
