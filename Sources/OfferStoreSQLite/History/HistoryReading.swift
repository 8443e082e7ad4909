import EligibilityRules
import GRDB
import OfferStore

/// Look-ups of histories on one connection, inside one read or write. A class: statements are prepared when first used.
final class HistoryReading {
    private let database: Database
    private let extent: StoredChain.Extent
    private let customers: CustomerTable
    private let decoder = ChainRecord.Decoder()
    private var prepared: [Key: PreparedStatement] = [:]

    private enum Key {
        case customer, token, account, original, transaction, previous
    }

    /// - Parameter hash: the store's, of customers.
    init(_ database: Database, _ extent: StoredChain.Extent, _ hash: SipHash) throws {
        self.database = database
        self.extent = extent
        customers = try CustomerTable(database, hash)
    }

    private func statement(_ key: Key) throws -> PreparedStatement {
        if let statement = prepared[key] { return statement }
        let bytes = extent == .gist ? "gist" : "record"
        let select = "SELECT id, original_transaction_id, customer_id, updated_at, \(bytes), binding_proof FROM purchase_chain"
        let sql =
            switch key {
            case .customer: "\(select) WHERE customer_id = ? AND app = ? AND is_subscription >= ?"
            case .token: "\(select) WHERE app_account_token = ? AND app = ? AND is_subscription >= ?"
            case .account: "\(select) WHERE app_transaction_id = ? AND app = ? AND is_subscription >= ?"
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
    func chain(originalTransactionID id: String, app: Int64) throws -> StoredChain? {
        try chains(.original, app) { $0.bind(id: id, at: 1) }.first
    }

    /// The chain of any transaction.
    func chain(transactionID id: String, app: Int64) throws -> StoredChain? {
        try chain(originalTransactionID: id, app: app) ?? chains(.transaction, app) { $0.bind(id: id, at: 1) }.first
    }

    /// The subscriptions that have taken the place of another one.
    func successors(ofOriginalTransactionID id: String, app: Int64) throws -> [String] {
        try chains(.previous, app) { $0.bind(id: id, at: 1) }.map(\.chain.originalID)
    }

    /// All chains of a customer.
    func chains(ofCustomer customerID: String, app: Int64) throws -> [StoredChain] {
        try chains(.customer, app, 0) { $0.bind(customerID, at: 1) }
    }

    /// All chains that were bought with a token.
    func chains(ofToken token: String, app: Int64) throws -> [StoredChain] {
        try chains(.token, app, 0) { $0.bind(token, at: 1) }
    }

    /// What decides questions about the customer whom a query means.
    func record(of query: HistoryQuery, app: Int64) throws -> HistoryRecord {
        guard let customerID = query.customerAlone else { return HistoryRecord(try history(of: query, app: app)) }
        return try customers.record(customerID, app: app)?.shortened ?? HistoryRecord(.unknown)
    }

    /// Everything that belongs to the customer whom a query means; of a gist, subscriptions only.
    func history(of query: HistoryQuery, app: Int64) throws -> StoredHistory {
        let least: Int64 = extent == .whole ? 0 : 1
        let query = try query.renamed { try customers.customer(named: $0, app: app) }
        let transaction = try query.transactionID.flatMap { try chain(transactionID: $0, app: app) }
        var search = HistorySearch(query, extent, transaction: transaction)
        let own = try search.customerID.flatMap { try customers.history($0, app: app) } ?? .unknown
        if let customerID = search.customerID, extent == .whole {
            search.add(ofCustomer: try chains(.customer, app, least) { $0.bind(customerID, at: 1) })
        }
        if let token = search.token { search.add(ofToken: try chains(.token, app, least) { $0.bind(token, at: 1) }) }
        for account in search.accounts {
            search.add(ofAccount: try chains(.account, app, least) { $0.bind(id: account, at: 1) })
        }
        return search.history(own: own)
    }

    private func chains(
        _ key: Key,
        _ app: Int64,
        _ minSubscription: Int64? = nil,
        bind: (PreparedStatement) -> Void
    ) throws -> [StoredChain] {
        let statement = try statement(key)
        defer { statement.reset() }
        bind(statement)
        statement.bind(app, at: 2)
        if let minSubscription { statement.bind(minSubscription, at: 3) }
        var chains: [StoredChain] = []
        while try statement.step() {
            chains.append(
                statement.withBytes(4) { bytes in
                    StoredChain(
                        id: statement.number(0), originalID: statement.originalID(1),
                        owner: statement.claim(customer: 2, proof: 5),
                        updatedAt: Instant(milliseconds: statement.number(3)), bytes: bytes, decoder)
                })
        }
        return chains
    }
}

extension PreparedStatement {
    /// Whose a chain is, from its two columns.
    func claim(customer: Int32, proof: Int32) -> CustomerClaim? {
        CustomerClaim(optionalText(customer), BindingProof(rawValue: number(proof)) ?? .claimed)
    }
}
