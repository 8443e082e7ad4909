import GRDB
import OfferStore
package import OfferStoreSQL

/// The subscriptions that ids name: transactions, customers or account tokens.
enum SubscriptionNames {
    /// Returns original transactions.
    static func named(by ids: Set<String>, app: Int64, _ database: Database) throws -> [String] {
        let ofTransaction = try PreparedStatement(
            database,
            """
            SELECT original_transaction_id FROM purchase_chain
            WHERE id = (SELECT chain FROM purchase_transaction WHERE transaction_id = ?2 AND app = ?1)
            """)
        let ofCustomer = try PreparedStatement(
            database,
            """
            SELECT original_transaction_id FROM purchase_chain WHERE app = ?1 AND customer_id = ?2
            UNION ALL SELECT original_transaction_id FROM purchase_chain WHERE app = ?1 AND app_account_token = ?2
            """)
        var names: [String] = []
        func add(_ statement: PreparedStatement) throws {
            statement.bind(app, at: 1)
            defer { statement.reset() }
            while try statement.step() { names.append(statement.text(0)) }
        }
        for id in ids {
            ofTransaction.bind(id: id, at: 2)
            try add(ofTransaction)
            ofCustomer.bind(id, at: 2)
            try add(ofCustomer)
        }
        return names
    }
}

extension SQLReceiptStore where Store == SQLiteStore {
    /// Works on this open file.
    package init(_ file: SQLiteHistoryFile) {
        self.init(file.store) { try SubscriptionNames.named(by: $0, app: $1, $2) }
    }
}
