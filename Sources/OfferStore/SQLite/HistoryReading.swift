import EligibilityRules
import GRDB

/// Look-ups of histories on one connection.
struct HistoryReading {
    private let byCustomer: PreparedStatement
    private let byToken: PreparedStatement
    private let byOriginal: PreparedStatement
    private let byTransaction: PreparedStatement
    private let suppliedAt: PreparedStatement

    init(_ database: Database, _ extent: HistoryRow.Extent) throws {
        let select = "SELECT \(extent.columns) FROM purchase_chain"
        byCustomer = try PreparedStatement(
            database, "\(select) WHERE customer_id = ? AND app = ? AND is_subscription >= ?")
        byToken = try PreparedStatement(
            database, "\(select) WHERE app_account_token = ? AND app = ? AND is_subscription >= ?")
        byOriginal = try PreparedStatement(database, "\(select) WHERE original_transaction_id = ? AND app = ?")
        byTransaction = try PreparedStatement(
            database, "\(select) WHERE id = (SELECT chain FROM purchase_transaction WHERE transaction_id = ? AND app = ?)")
        suppliedAt = try PreparedStatement(
            database, "SELECT supplied_at FROM customer WHERE customer_id = ? AND app = ?")
    }

    /// The chain of an original transaction.
    func row(originalTransactionID id: String, app: Int64) throws -> HistoryRow? {
        try rows(byOriginal, app) { $0.bind(id: id, at: 1) }.first
    }

    /// Everything that belongs to the customer whom a query means.
    func history(of query: HistoryQuery, app: Int64, withOtherPurchases: Bool) throws -> StoredHistory {
        let least: Int64 = withOtherPurchases ? 0 : 1
        var owner = query.customerID
        var token = query.appAccountToken
        var found: [HistoryRow] = []
        var isOfAnotherCustomer = false
        if let transactionID = query.transactionID, let row = try row(transactionID: transactionID, app: app) {
            if let owner, !row.mayBeOf(owner) {
                isOfAnotherCustomer = true
            } else {
                owner = owner ?? row.customerID
                token = token ?? row.chain.appAccountToken
                found.append(row)
            }
        }
        if let owner { found += try rows(byCustomer, app, least) { $0.bind(owner, at: 1) } }
        if let token {
            // A device can change hands between two customers of the app: what is bound to the other one is not this one's.
            found += try rows(byToken, app, least) { $0.bind(token, at: 1) }
                .filter { row in owner.map(row.mayBeOf) ?? true }
        }
        // A chain that was only bound, or whose renewal alone is known, says nothing about what was bought.
        var updatedAt = found.filter { !$0.chain.transactions.isEmpty }.map(\.updatedAt).max()
        if updatedAt == nil, let owner { updatedAt = try suppliedAt(owner, app) }
        let chains = found.map(\.chain).filter { withOtherPurchases || $0.isSubscription }
        return StoredHistory(
            history: PurchaseHistory(chains), updatedAt: updatedAt, isOfAnotherCustomer: isOfAnotherCustomer,
            isDamaged: found.contains(where: \.isDamaged))
    }

    private func row(transactionID id: String, app: Int64) throws -> HistoryRow? {
        try row(originalTransactionID: id, app: app) ?? rows(byTransaction, app) { $0.bind(id: id, at: 1) }.first
    }

    private func rows(
        _ statement: PreparedStatement,
        _ app: Int64,
        _ leastSubscription: Int64? = nil,
        bind: (PreparedStatement) -> Void
    ) throws -> [HistoryRow] {
        defer { statement.reset() }
        bind(statement)
        statement.bind(app, at: 2)
        if let leastSubscription { statement.bind(leastSubscription, at: 3) }
        var rows: [HistoryRow] = []
        while try statement.step() { rows.append(HistoryRow(statement)) }
        return rows
    }

    private func suppliedAt(_ customerID: String, _ app: Int64) throws -> Instant? {
        defer { suppliedAt.reset() }
        suppliedAt.bind(customerID, at: 1)
        suppliedAt.bind(app, at: 2)
        return try suppliedAt.step() ? Instant(milliseconds: suppliedAt.number(0)) : nil
    }
}
