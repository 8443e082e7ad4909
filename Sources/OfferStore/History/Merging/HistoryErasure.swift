package import EligibilityRules

/// Removes a customer's names from the rows of a store, inside one transaction.
package struct HistoryErasure<Rows: HistoryRows> {
    private let rows: Rows

    /// Creates an erasure in these rows.
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
