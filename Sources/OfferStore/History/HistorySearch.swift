import EligibilityRules

/// What belongs to the customer whom a query means, put together of what is found.
///
/// A store looks up the transaction first, then the chains of `customerID` and of `token` as far as it has learnt of them.
package struct HistorySearch {
    /// Whose chains are asked for; nil as long as nobody is known.
    package let customerID: String?
    /// The account token whose chains are asked for.
    package let token: String?
    private let extent: StoredChain.Extent
    private let isOfAnotherCustomer: Bool
    private var found: [StoredChain] = []

    /// - Parameters:
    ///   - extent: how much of each chain is read; of gists, subscriptions only.
    ///   - chain: that of the query's transaction; nil if it names none, or none that is known.
    package init(_ query: HistoryQuery, _ extent: StoredChain.Extent, transaction chain: StoredChain?) {
        self.extent = extent
        guard let chain, query.customerID.map(chain.mayBeOf) ?? true else {
            (customerID, token, isOfAnotherCustomer) = (query.customerID, query.appAccountToken, chain != nil)
            return
        }
        customerID = query.customerID ?? chain.customerID
        token = query.appAccountToken ?? chain.chain.appAccountToken?.value.string
        isOfAnotherCustomer = false
        found = [chain]
    }

    /// Adds what is bound to the customer.
    package mutating func add(ofCustomer chains: [StoredChain]) { found += chains }

    /// Adds what has the token, but what is bound to another customer: a device can change hands between two customers of the app.
    package mutating func add(ofToken chains: [StoredChain]) {
        found += chains.filter { chain in customerID.map(chain.mayBeOf) ?? true }
    }

    /// All of it together.
    ///
    /// - Parameter own: what is drawn of the customer. What is wrong with that, which is all that the service looks at as a rule,
    ///   is to be seen here, too.
    package func history(own: StoredHistory) -> StoredHistory {
        var updatedAt = own.history.isEmpty ? nil : own.updatedAt
        // What is drawn are gists: all there is to know, or nothing beside whole chains.
        var chains = extent == .gist ? own.history.chains : []
        for stored in found {
            // A chain that was only bound, or whose renewal alone is known, says nothing about what was bought.
            if !stored.chain.transactions.isEmpty, updatedAt.map({ stored.updatedAt > $0 }) ?? true {
                updatedAt = stored.updatedAt
            }
            if extent == .whole || stored.chain.concernsSubscriptions { chains.append(stored.chain) }
        }
        return StoredHistory(
            history: PurchaseHistory(chains), updatedAt: updatedAt ?? own.updatedAt, completeness: own.completeness,
            isOfAnotherCustomer: isOfAnotherCustomer, isDamaged: own.isDamaged || found.contains(where: \.isDamaged))
    }
}
