import OfferStore
package import OfferStoreSQL

extension SQLReceiptStore where Store == PostgreSQLStore {
    /// Shares the store's sessions with the other stores.
    package init(_ store: PostgreSQLStore) {
        self.init(store) { ids, app, transaction in
            try transaction.run(
                """
                SELECT original_transaction_id FROM purchase_transaction WHERE app = $1 AND transaction_id = ANY ($2)
                UNION SELECT original_transaction_id FROM purchase_chain WHERE app = $1 AND customer_id = ANY ($2)
                UNION SELECT original_transaction_id FROM purchase_chain WHERE app = $1 AND app_account_token = ANY ($2)
                """, .number(app), .texts(ids.sorted())
            ).map { $0.text(0) }
        }
    }
}
