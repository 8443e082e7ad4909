import EligibilityRules
import GRDB
import OfferStore

/// Look-ups of histories on one connection, inside one read or write. A class: statements are prepared when first used.
final class HistoryReading {
    private let database: Database
    private let extent: HistoryRow.Extent
    private let customers: CustomerTable
    private let decoder = ChainRecord.Decoder()
    private var prepared: [Key: PreparedStatement] = [:]

    private enum Key {
        case customer, token, original, transaction, previous
    }

    /// - Parameter hash: the store's, of customers.
    init(_ database: Database, _ extent: HistoryRow.Extent, _ hash: SipHash) throws {
        self.database = database
        self.extent = extent
        customers = try CustomerTable(database, hash)
    }

    private func statement(_ key: Key) throws -> PreparedStatement {
        if let statement = prepared[key] { return statement }
        let select = "SELECT \(extent.columns) FROM purchase_chain"
        let sql =
            switch key {
            case .customer: "\(select) WHERE customer_id = ? AND app = ? AND is_subscription >= ?"
            case .token: "\(select) WHERE app_account_token = ? AND app = ? AND is_subscription >= ?"
            case .original: "\(select) WHERE original_transaction_id = ? AND app = ?"
            case .previous: "\(select) WHERE previous_original_transaction_id = ? AND app = ?"
            case .transaction:
                "\(select) WHERE id = (SELECT chain FROM purchase_transaction WHERE transaction_id = ? AND app = ?)"
            }
        let statement = try PreparedStatement(database, sql)
        prepared[key] = statement
        return statement
    }

    /// The chain of an original transaction.
    func row(originalTransactionID id: String, app: Int64) throws -> HistoryRow? {
        try first(.original, app) { $0.bind(id: id, at: 1) }
    }

    /// The subscriptions that have taken the place of another one.
    func successors(ofOriginalTransactionID id: String, app: Int64) throws -> [String] {
        var rows: [HistoryRow] = []
        try read(.previous, app, into: &rows) { $0.bind(id: id, at: 1) }
        return rows.map(\.chain.originalID)
    }

    /// What decides questions about the customer whom a query means; as it stands where the customer's id is all that is given.
    func record(of query: HistoryQuery, app: Int64) throws -> HistoryRecord {
        guard let customerID = query.customerID, query.appAccountToken == nil, query.transactionID == nil else {
            return HistoryRecord(try history(of: query, app: app))
        }
        guard let record = try customers.record(customerID, app: app) else { return HistoryRecord(.unknown) }
        // A very long one is made here, where it keeps nobody waiting.
        return record.isLong ? HistoryRecord(HistoryDecoder().history(record)) : record
    }

    /// Everything that belongs to the customer whom a query means; of a gist, subscriptions only.
    func history(of query: HistoryQuery, app: Int64) throws -> StoredHistory {
        let least: Int64 = extent == .whole ? 0 : 1
        var owner = query.customerID
        var token = query.appAccountToken
        var found: [HistoryRow] = []
        var isOfAnotherCustomer = false
        if let transactionID = query.transactionID, let row = try row(transactionID: transactionID, app: app) {
            if let owner, !row.mayBeOf(owner) {
                isOfAnotherCustomer = true
            } else {
                owner = owner ?? row.customerID
                token = token ?? row.chain.appAccountToken?.value.string
                found.append(row)
            }
        }
        // What is wrong with the customer's row, which is all that the service looks at as a rule, is to be seen here, too.
        let own = try owner.flatMap { try customers.history($0, app: app) } ?? .unknown
        if let owner, extent == .whole { try read(.customer, app, least, into: &found) { $0.bind(owner, at: 1) } }
        if let token {
            // A device can change hands between two customers of the app: what is bound to the other one is not this one's.
            var ofToken: [HistoryRow] = []
            try read(.token, app, least, into: &ofToken) { $0.bind(token, at: 1) }
            found += ofToken.filter { row in owner.map(row.mayBeOf) ?? true }
        }
        return StoredHistory(found, extent, own: own, isOfAnotherCustomer: isOfAnotherCustomer)
    }

    /// The chain of any transaction.
    func row(transactionID id: String, app: Int64) throws -> HistoryRow? {
        try row(originalTransactionID: id, app: app) ?? first(.transaction, app) { $0.bind(id: id, at: 1) }
    }

    private func first(_ key: Key, _ app: Int64, bind: (PreparedStatement) -> Void) throws -> HistoryRow? {
        var rows: [HistoryRow] = []
        try read(key, app, into: &rows, bind: bind)
        return rows.first
    }

    private func read(
        _ key: Key,
        _ app: Int64,
        _ leastSubscription: Int64? = nil,
        into rows: inout [HistoryRow],
        bind: (PreparedStatement) -> Void
    ) throws {
        let statement = try statement(key)
        defer { statement.reset() }
        bind(statement)
        statement.bind(app, at: 2)
        if let leastSubscription { statement.bind(leastSubscription, at: 3) }
        while try statement.step() { rows.append(HistoryRow(statement, decoder)) }
    }
}
