import EligibilityRules
import GRDB
import OfferStore

/// Look-ups of histories on one connection, within one read or write. A class, as it prepares statements on first use.
final class HistoryReading {
    private let database: Database
    private let extent: StoredChain.Extent
    private let customers: CustomerTable
    private let decoder = ChainRecord.Decoder()
    private var prepared: [Key: PreparedStatement] = [:]

    /// The keys that chains are found by.
    enum Key {
        case customer, token, account, original, transaction, previous

        /// Whether the key is never stored as a number.
        var isText: Bool { self == .customer || self == .token }
        /// Whether the key finds only subscriptions if only summaries are read.
        var isFiltered: Bool { isText || self == .account }
    }

    /// - Parameter hash: the store's hash of customers.
    init(_ database: Database, _ extent: StoredChain.Extent, _ hash: SipHash) throws {
        self.database = database
        self.extent = extent
        customers = try CustomerTable(database, hash)
    }

    private func statement(_ key: Key) throws -> PreparedStatement {
        if let statement = prepared[key] { return statement }
        let bytes = extent == .summary ? "gist" : "record"
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
    func chain(originalTransactionID key: HistoryKey) throws -> StoredChain? { try chains(.original, key).first }

    /// The chain of any transaction.
    func chain(transactionID key: HistoryKey) throws -> StoredChain? {
        try chain(originalTransactionID: key) ?? chains(.transaction, key).first
    }

    /// The record of the query's customer, with what can still decide about offers.
    func record(of query: HistoryQuery, app: Int64) throws -> HistoryRecord {
        guard let customerID = query.customerAlone else { return HistoryRecord(try history(of: query, app: app)) }
        return try customers.record(HistoryKey(app, customerID))?.shortened ?? HistoryRecord(.unknown)
    }

    /// Everything that belongs to the query's customer; only subscriptions if only summaries are read.
    func history(of query: HistoryQuery, app: Int64) throws -> StoredHistory {
        func key(_ id: String) -> HistoryKey { HistoryKey(app, id) }
        let query = try query.renamed { try customers.customer(named: key($0)) }
        let transaction = try query.transactionID.flatMap { try chain(transactionID: key($0)) }
        var search = HistorySearch(query, extent, transaction: transaction)
        let own = try search.customerID.flatMap { try customers.record(key($0)) }.map(HistoryDecoder().history) ?? .unknown
        if let customerID = search.customerID, extent == .whole {
            search.add(ofCustomer: try chains(.customer, key(customerID)))
        }
        if let token = search.token { search.add(ofToken: try chains(.token, key(token))) }
        for account in search.accounts { search.add(ofAccount: try chains(.account, key(account))) }
        return search.history(own: own)
    }

    /// The chains that a key leads to.
    ///
    /// If only summaries are read, only subscriptions are found, except by transaction.
    func chains(_ kind: Key, _ key: HistoryKey) throws -> [StoredChain] {
        let statement = try statement(kind)
        defer { statement.reset() }
        if kind.isText { statement.bind(key.string, at: 1) } else { statement.bind(id: key.string, at: 1) }
        statement.bind(key.app, at: 2)
        if kind.isFiltered { statement.bind(extent == .whole ? 0 : 1, at: 3) }
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
    /// The owner of a chain, from its two columns.
    func claim(customer: Int32, proof: Int32) -> CustomerClaim? {
        CustomerClaim(optionalText(customer), BindingProof(rawValue: number(proof)) ?? .claimed)
    }
}
