import EligibilityRules

/// What belongs to the customer whom a query means, put together of what is found.
///
/// A store looks up the transaction first, then the chains of `customerID`, of `token` and of each of `accounts` as far as it has learnt
/// of them.
package struct HistorySearch {
    /// Whose chains are asked for; nil as long as nobody is known.
    package let customerID: String?
    /// The account token whose chains are asked for.
    package let token: String?
    /// The Apple account that was asked for, by its `appTransactionId`, or that the transaction is of.
    private let namedAccount: String?
    /// Whether what the Apple account has bought is the customer's: nobody else was named.
    private let isAccountAlone: Bool
    private let extent: StoredChain.Extent
    private let isOfAnotherCustomer: Bool
    private var found: [StoredChain] = []
    private var ofAccount: [StoredChain] = []

    /// - Parameters:
    ///   - extent: how much of each chain is read; of gists, subscriptions only.
    ///   - chain: that of the query's transaction; nil if it names none, or none that is known.
    package init(_ query: HistoryQuery, _ extent: StoredChain.Extent, transaction chain: StoredChain?) {
        self.extent = extent
        // Who asks for a transaction that nobody knows may have given the id of the Apple account, as Apple lets them.
        let account = query.appTransactionID ?? (chain == nil ? query.transactionID : nil)
        namedAccount = account ?? chain?.chain.appTransactionID
        isAccountAlone = account != nil && query.customerID == nil && query.appAccountToken == nil
        guard let chain, query.customerID.map(chain.mayBeOf) ?? true else {
            (customerID, token, isOfAnotherCustomer) = (query.customerID, query.appAccountToken, chain != nil)
            return
        }
        customerID = query.customerID ?? chain.customerID
        token = query.appAccountToken ?? chain.chain.accountToken
        isOfAnotherCustomer = false
        found = [chain]
    }

    /// The Apple accounts whose chains are asked for once all others are added; those of the customer's record are in that already.
    package var accounts: Set<String> {
        Set(found.compactMap(\.chain.appTransactionID) + (namedAccount.map { [$0] } ?? []))
    }

    /// Adds what is bound to the customer.
    package mutating func add(ofCustomer chains: [StoredChain]) { found += chains }

    /// Adds what has the token, but what is bound to another customer: a device can change hands between two customers of the app.
    package mutating func add(ofToken chains: [StoredChain]) {
        found += chains.filter { chain in customerID.map(chain.mayBeOf) ?? true }
    }

    /// Adds what an Apple account has bought.
    package mutating func add(ofAccount chains: [StoredChain]) { ofAccount += chains }

    /// All of it together.
    ///
    /// - Parameter own: what is drawn of the customer. What is wrong with that, which is all that the service looks at as a rule,
    ///   is to be seen here, too.
    package func history(own: StoredHistory) -> StoredHistory {
        var updatedAt = own.history.isEmpty ? nil : own.updatedAt
        // What is drawn are gists: all there is to know, or nothing beside whole chains.
        var chains = extent == .gist ? own.history.chains : []
        for stored in found + ofAccount.filter(isOwn) {
            // A chain that was only bound, or whose renewal alone is known, says nothing about what was bought.
            if !stored.chain.transactions.isEmpty, updatedAt.map({ stored.updatedAt > $0 }) ?? true {
                updatedAt = stored.updatedAt
            }
            if extent == .whole || stored.chain.concernsSubscriptions { chains.append(stored.chain) }
        }
        let ownIDs = Set(chains.map { ExactText($0.originalID) })
        let drawn = extent == .gist ? own.accountChains.filter { !ownIDs.contains(ExactText($0.originalID)) } : []
        let others = drawn + ofAccount.filter { !isOwn($0) }.map(\.chain)
        return StoredHistory(
            history: PurchaseHistory(chains),
            accountChains: PurchaseHistory(others.filter(\.concernsSubscriptions)).chains,
            // A database gives them in any order.
            namedAccount: ofAccount.filter(isNamed).sorted { ExactText($0.chain.originalID) < ExactText($1.chain.originalID) }
                .map { AccountChain($0.chain, owner: owner(of: $0)) },
            customerID: own.customerID ?? ownerOfToken, updatedAt: updatedAt ?? own.updatedAt, completeness: own.completeness,
            isOfAnotherCustomer: isOfAnotherCustomer,
            isDamaged: own.isDamaged || (found + ofAccount).contains(where: \.isDamaged))
    }

    /// The customer to whom all that has the token is bound, where only that was named.
    private var ownerOfToken: String? {
        let owners = Set(found.compactMap { $0.customerID.map(ExactText.init) })
        return customerID == nil && owners.count == 1 ? owners.first?.string : nil
    }

    /// Whether a chain of the Apple account counts as the customer's own purchase: who names the account says that it is theirs, and then
    /// only what another customer has is not.
    private func isOwn(_ stored: StoredChain) -> Bool {
        if isAccountAlone, customerID == nil { return true }
        return stored.customerID == nil ? isNamed(stored) : owner(of: stored) == .same
    }

    private func isNamed(_ stored: StoredChain) -> Bool {
        guard let namedAccount, let account = stored.chain.appTransactionID else { return false }
        return ExactText(account) == ExactText(namedAccount)
    }

    private func owner(of stored: StoredChain) -> AccountChain.Owner {
        guard let owner = stored.customerID else { return .nobody }
        guard let customerID else { return .another }
        return ExactText(owner) == ExactText(customerID) ? .same : .another
    }
}
