package import EligibilityRules

/// Takes a customer's names from the rows of a store, inside one transaction.
package struct HistoryErasure<Rows: HistoryRows> {
    private let rows: Rows

    /// Works on these rows.
    package init(_ rows: Rows) { self.rows = rows }

    /// What is bound to the customer, and what is nobody's and carries an account token of theirs, is nobody's and without token for ever.
    package func erase(customerID: String, partition: AppPartition, at now: Instant) throws -> ErasedHistory {
        let app = try rows.number(ofApp: partition)
        let customerID = try rows.customer(named: customerID, app: app)
        let aliases = try rows.aliases(of: customerID, app: app)
        var chains = try rows.chains(ofCustomer: customerID, app: app)
        for token in Set(chains.compactMap { $0.chain.accountToken.map(ExactText.init) }) {
            chains += try rows.chains(ofToken: token.string, app: app).filter { $0.customerID == nil }
        }
        var (erased, neighbours): (ErasedHistory, Set<ExactText>) = (ErasedHistory(), [])
        erased.ids = Set(aliases + [customerID])
        for stored in chains {
            erased.ids.formUnion(ErasedHistory.ids(of: stored.chain))
            // Of a record that cannot be read nothing is left that could be.
            _ = try rows.write(ChainRow(stored.chain.withoutAccountToken, owner: nil, at: now), over: stored.id, app: app)
            erased.notifications += try rows.blankNotifications(ofOriginalTransactionID: stored.chain.originalID, app: app)
            if let account = stored.chain.appTransactionID {
                neighbours.formUnion(try rows.customers(ofAccount: account, app: app).map(ExactText.init))
            }
        }
        erased.chains = chains.count
        for alias in aliases { _ = try rows.forget(alias, app: app) }
        erased.wasKnown = try rows.forget(customerID, app: app) || !chains.isEmpty
        // What others of the same Apple account are told of it carries the token, too.
        for neighbour in neighbours where neighbour != ExactText(customerID) {
            try rows.draw(neighbour.string, app: app, CustomerTimes())
        }
        return erased
    }
}
