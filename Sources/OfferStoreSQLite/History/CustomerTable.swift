import EligibilityRules
import GRDB
import OfferStore

/// The rows for look-ups of customers, found by a hash of the customer's id. A row has the summary of each subscription.
///
/// A B-tree with numeric keys is a few levels deep, however long the customers' ids are. Its inner pages stay in the cache, so a
/// look-up reads one page. All columns except `supplied_at` and `complete_at` are derived from `purchase_chain`.
final class CustomerTable {
    private let database: Database
    private let hash: SipHash
    private let select: PreparedStatement

    /// - Parameter hash: the store's hash.
    init(_ database: Database, _ hash: SipHash) throws {
        self.database = database
        self.hash = hash
        select = try PreparedStatement(
            database,
            "SELECT app, customer_id, supplied_at, complete_at, subscriptions, account_subscriptions, alias_of FROM customer WHERE id = ?"
        )
    }

    /// The record of the customer that a name refers to; nil if unknown.
    func record(_ name: HistoryKey) throws -> HistoryRecord? {
        defer { select.reset() }
        guard try seek(name).isTaken else { return nil }
        var name = name
        if let customer = aliased {
            name = HistoryKey(name.app, customer)
            select.reset()
            guard try seek(name).isTaken else { return nil }
        }
        let account = select.isNull(5) ? [] : select.withBytes(5) { Array($0) }
        return HistoryRecord(.customer(times, name: name.string, bytes: select.withBytes(4) { Array($0) }, account: account))
    }

    /// The customer that a name refers to: the name itself, unless it is an alias.
    func customer(named name: HistoryKey) throws -> String {
        defer { select.reset() }
        return try seek(name).isTaken ? aliased ?? name.string : name.string
    }

    func aliases(of customer: HistoryKey) throws -> [String] {
        let names = try PreparedStatement(database, "SELECT customer_id FROM customer WHERE alias_of = ? AND app = ?")
        defer { names.reset() }
        names.bind(customer.string, at: 1)
        names.bind(customer.app, at: 2)
        var found: [String] = []
        while try names.step() { found.append(names.text(0)) }
        return found
    }

    /// Makes a name and its aliases refer to a customer, and stores the customer's times.
    func alias(_ name: HistoryKey, of customerID: String, _ times: CustomerTimes) throws {
        for alias in try aliases(of: name) + [name.string] {
            try enter(HistoryKey(name.app, alias), CustomerTimes(), aliasOf: customerID)
        }
        try enter(HistoryKey(name.app, customerID), times, aliasOf: nil)
    }

    private func enter(_ name: HistoryKey, _ times: CustomerTimes, aliasOf customer: String?) throws {
        let (id, _) = try seek(name)
        select.reset()
        let upsert = try PreparedStatement(
            database,
            """
            INSERT INTO customer (id, app, customer_id, supplied_at, complete_at, alias_of, subscriptions)
            VALUES (?, ?, ?, ?, ?, ?, x'')
            ON CONFLICT (id) DO UPDATE SET supplied_at = excluded.supplied_at, complete_at = excluded.complete_at,
                alias_of = excluded.alias_of
            """
        )
        upsert.bind(id, at: 1)
        upsert.bind(name.app, at: 2)
        upsert.bind(name.string, at: 3)
        upsert.bind(times.suppliedAt?.milliseconds, at: 4)
        upsert.bind(times.completeAt?.milliseconds, at: 5)
        upsert.bind(customer, at: 6)
        try upsert.run()
    }

    // The alias in the current row. An alias has no subscriptions, so reading the column after them is cheap.
    private var aliased: String? { select.withBytes(4, \.isEmpty) ? select.optionalText(6) : nil }

    /// The times in the current row.
    private var times: CustomerTimes {
        func instant(_ column: Int32) -> Instant? {
            select.isNull(column) ? nil : Instant(milliseconds: select.number(column))
        }
        return CustomerTimes(suppliedAt: instant(2), completeAt: instant(3))
    }

    /// Rebuilds a customer's row from the chains, merging stored and new times.
    func rebuildSummary(_ customer: HistoryKey, _ news: CustomerTimes) throws {
        let (id, isTaken) = try seek(customer)
        let times = isTaken ? self.times.merged(with: news) : news
        select.reset()
        let own = try summaries(
            "SELECT original_transaction_id, updated_at, gist FROM purchase_chain WHERE customer_id = ? AND app = ? AND is_subscription = 1",
            customer)
        let account = try summaries(
            """
            SELECT original_transaction_id, updated_at, gist FROM purchase_chain AS other
            WHERE app_transaction_id IN (
                SELECT app_transaction_id FROM purchase_chain
                WHERE customer_id = ?1 AND app = ?2 AND is_subscription = 1 AND app_transaction_id IS NOT NULL)
            AND app = ?2 AND is_subscription = 1 AND customer_id IS NOT ?1
            """, customer)
        let upsert = try PreparedStatement(
            database,
            """
            INSERT INTO customer (id, app, customer_id, supplied_at, complete_at, subscriptions, account_subscriptions)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE
            SET supplied_at = excluded.supplied_at, complete_at = excluded.complete_at, subscriptions = excluded.subscriptions,
                account_subscriptions = excluded.account_subscriptions
            """
        )
        upsert.bind(id, at: 1)
        upsert.bind(customer.app, at: 2)
        upsert.bind(customer.string, at: 3)
        upsert.bind(times.suppliedAt?.milliseconds, at: 4)
        upsert.bind(times.completeAt?.milliseconds, at: 5)
        upsert.bind(own, at: 6)
        if !account.isEmpty { upsert.bind(account, at: 7) }
        try upsert.run()
    }

    /// Removes a customer's row. Returns false if there is none.
    func remove(_ customer: HistoryKey) throws -> Bool {
        let (id, isTaken) = try seek(customer)
        select.reset()
        guard isTaken else { return false }
        try delete(id)
        // Customers with the same hash take consecutive rows, and a search stops at a gap. Close the gap.
        var next = id &+ 1
        while let other = try owner(of: next) {
            let (place, isFound) = try seek(other)
            select.reset()
            if !isFound {
                let move = try PreparedStatement(database, "UPDATE customer SET id = ? WHERE id = ?")
                move.bind(place, at: 1)
                move.bind(next, at: 2)
                try move.run()
            }
            next &+= 1
        }
        return true
    }

    private func delete(_ id: Int64) throws {
        let statement = try PreparedStatement(database, "DELETE FROM customer WHERE id = ?")
        statement.bind(id, at: 1)
        try statement.run()
    }

    private func owner(of id: Int64) throws -> HistoryKey? {
        defer { select.reset() }
        select.bind(id, at: 1)
        return try select.step() ? HistoryKey(select.number(0), select.text(1)) : nil
    }

    /// The encoded record of the chains in a query.
    private func summaries(_ sql: String, _ customer: HistoryKey) throws -> [UInt8] {
        let chains = try PreparedStatement(database, sql)
        defer { chains.reset() }
        chains.bind(customer.string, at: 1)
        chains.bind(customer.app, at: 2)
        var record = CustomerRecord()
        while try chains.step() {
            chains.withBytes(2) {
                record.append(chains.originalID(0), updatedAt: Instant(milliseconds: chains.number(1)), summary: $0)
            }
        }
        return record.bytes
    }

    // Customers with the same hash take the next free numbers.
    private func seek(_ customer: HistoryKey) throws -> (id: Int64, isTaken: Bool) {
        var id = number(of: customer)
        while true {
            select.bind(id, at: 1)
            guard try select.step() else { return (id, false) }
            if select.number(0) == customer.app, select.isText(1, customer.string) { return (id, true) }
            select.reset()
            id &+= 1
        }
    }

    private func number(of customer: HistoryKey) -> Int64 {
        var customerID = customer.string
        let hash = customerID.withUTF8 { self.hash.hash(UnsafeRawBufferPointer($0)) }
        // The multiplication spreads the apps over the whole range, so that their rows seldom become neighbours.
        return Int64(bitPattern: hash &+ UInt64(bitPattern: customer.app) &* 0x9E37_79B9_7F4A_7C15)
    }
}
