package import EligibilityRules

/// Removes a customer's names from the rows of a store, inside one transaction.
package struct HistoryErasure<Rows: HistoryRows> {
    private let rows: Rows

    package init(_ rows: Rows) { self.rows = rows }

    /// Unbinds the customer's purchases, and removes the account token for good, also from unbound purchases with the same token.
    package func erase(customerID: String, partition: AppPartition, at now: Instant) throws -> ErasedHistory {
        let app = try rows.number(ofApp: partition)
        var draft = HistoryDraft(rows)
        let customer = HistoryKey(app, try draft.customer(named: HistoryKey(app, customerID)))
        let names = try rows.aliases(of: customer) + [customer.string]
        var chains = try draft.chains(ChainLink(.customer, customer))
        for token in Set(chains.compactMap { $0.chain.accountToken }.map(ExactText.init)) {
            chains += try draft.chains(ChainLink(.token, HistoryKey(app, token.string))).filter { $0.customerID == nil }
        }
        var erased = ErasedHistory()
        erased.ids = Set(names)
        for stored in chains {
            erased.ids.formUnion(ErasedHistory.ids(of: stored.chain))
            // An unreadable record is replaced: nothing of it can be kept.
            draft.write(ChainRow(stored.chain.withoutAccountToken, owner: nil, at: now), app)
        }
        try rows.write(draft.news)
        erased.notifications = try rows.blankNotifications(ofChains: Set(draft.news.chains.map(\.key)))
        erased.chains = chains.count
        erased.wasKnown = try rows.forget(names.map(customer.with)) || !chains.isEmpty
        // The rows of other customers of the same Apple account contain the token, too.
        try CustomerNews().rebuildSummaries(rows, accounts: draft.news.accounts)
        return erased
    }
}

/// The customers whose rows a transaction rebuilds at its end, once each, however many changes concern them.
struct CustomerNews {
    private var touched: [HistoryKey: CustomerTimes] = [:]
    private var doubtful: Set<HistoryKey> = []

    /// Marks a customer's row for rebuilding, after a write or with new times.
    mutating func touch(_ customer: HistoryKey, _ times: CustomerTimes = CustomerTimes()) {
        touched[customer] = touched[customer]?.merged(with: times) ?? times
    }

    /// Notes a customer about whom a change said nothing new.
    ///
    /// The row is rebuilt only if it is missing or unreadable.
    mutating func doubt(_ customer: HistoryKey) { doubtful.insert(customer) }

    /// Rebuilds the rows.
    ///
    /// - Parameter accounts: Apple accounts whose subscriptions were written. They affect the rows of other customers of the
    ///   account.
    consuming func rebuildSummaries(_ rows: some HistoryRows, accounts: Set<HistoryKey>) throws {
        doubtful.subtract(touched.keys)
        if !accounts.isEmpty || !doubtful.isEmpty {
            var keys = HistoryKeys()
            (keys.accounts, keys.customerSummaries) = (accounts, doubtful)
            let facts = try rows.find(keys)
            for owner in facts.owners { touch(owner) }
            let decoder = HistoryDecoder()
            for customer in doubtful where facts.customerSummaries[customer].map({ decoder.history($0).isDamaged }) ?? true {
                touch(customer)
            }
        }
        if !touched.isEmpty { try rows.rebuildSummaries(touched) }
    }
}
