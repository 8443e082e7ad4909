import EligibilityRules

/// Assembles everything that belongs to the customer of a query.
///
/// A store first looks up the query's transaction. Then it looks up the chains of `customerID`, of `token` and of each of
/// `accounts`, as these become known.
package struct HistorySearch {
    /// The customer whose chains to look up; nil while unknown.
    package let customerID: String?
    /// The account token whose chains to look up.
    package let token: String?
    /// The Apple account in the query, by its `appTransactionId`, or the account of the transaction.
    private let namedAccount: String?
    /// Whether the query names only the Apple account, so that its purchases count as the customer's own.
    private let isAccountAlone: Bool
    private let extent: StoredChain.Extent
    private let isOfAnotherCustomer: Bool
    /// Whether the customer is known only as the owner of the query's transaction.
    private let isOfTransaction: Bool
    private var found: [StoredChain] = []
    private var ofAccount: [StoredChain] = []

    /// - Parameters:
    ///   - extent: how much of each chain to read. With `summary`, only subscriptions are read.
    ///   - chain: the chain of the query's transaction; nil if the query names no transaction, or an unknown one.
    package init(_ query: HistoryQuery, _ extent: StoredChain.Extent, transaction chain: StoredChain?) {
        self.extent = extent
        // An unknown transaction id may be the id of an Apple account: Apple's API accepts either.
        let account = query.appTransactionID ?? (chain == nil ? query.transactionID : nil)
        namedAccount = account ?? chain?.chain.appTransactionID
        isAccountAlone = account != nil && query.customerID == nil && query.appAccountToken == nil
        guard let chain, query.customerID.map(chain.mayBeOf) ?? true else {
            (customerID, token, isOfAnotherCustomer) = (query.customerID, query.appAccountToken, chain != nil)
            isOfTransaction = false
            return
        }
        customerID = query.customerID ?? chain.customerID
        token = query.appAccountToken ?? chain.chain.accountToken
        isOfAnotherCustomer = false
        isOfTransaction = query.customerID == nil
        found = [chain]
    }

    /// The Apple accounts whose chains to look up once all other chains are added.
    ///
    /// The customer's record already contains the chains of the customer's own accounts.
    package var accounts: Set<String> {
        Set(found.compactMap(\.chain.appTransactionID) + (namedAccount.map { [$0] } ?? []))
    }

    /// Adds the chains bound to the customer.
    package mutating func add(ofCustomer chains: [StoredChain]) { found += chains }

    /// Adds the chains with the token, except those bound to another customer: two customers may share a device.
    package mutating func add(ofToken chains: [StoredChain]) {
        found += chains.filter { chain in customerID.map(chain.mayBeOf) ?? true }
    }

    package mutating func add(ofAccount chains: [StoredChain]) { ofAccount += chains }

    /// Returns the assembled history.
    ///
    /// - Parameter own: the decoded record of the customer. If it is damaged, the result is, too.
    package func history(own: StoredHistory) -> StoredHistory {
        var updatedAt = own.history.isEmpty ? nil : own.updatedAt
        // The customer's record contains summaries. They are all that a query for summaries needs. Whole chains already contain
        // them.
        var chains = extent == .summary ? own.history.chains : []
        for stored in found + ofAccount.filter(isOwn) {
            // A chain that was only bound, or has only a renewal, says nothing about purchases.
            if !stored.chain.transactions.isEmpty, updatedAt.map({ stored.updatedAt > $0 }) ?? true {
                updatedAt = stored.updatedAt
            }
            if extent == .whole || stored.chain.concernsSubscriptions { chains.append(stored.chain) }
        }
        let ownIDs = Set(chains.map { ExactText($0.originalID) })
        let summarised = extent == .summary ? own.accountChains.filter { !ownIDs.contains(ExactText($0.originalID)) } : []
        let others = summarised + ofAccount.filter { !isOwn($0) }.map(\.chain)
        return StoredHistory(
            history: PurchaseHistory(chains),
            accountChains: PurchaseHistory(others.filter(\.concernsSubscriptions)).chains,
            // Sorted, because a database returns the chains in any order.
            namedAccount: ofAccount.filter(isNamed).sorted { ExactText($0.chain.originalID) < ExactText($1.chain.originalID) }
                .map { AccountChain($0.chain, owner: owner(of: $0)) },
            customerID: own.customerID ?? ownerOfToken ?? ownerOfPurchase, updatedAt: updatedAt ?? own.updatedAt,
            completeness: own.completeness,
            isOfAnotherCustomer: isOfAnotherCustomer,
            isDamaged: own.isDamaged || (found + ofAccount).contains(where: \.isDamaged))
    }

    /// The only owner of the chains with the token, if the query names nothing else.
    private var ownerOfToken: String? {
        let owners = Set(found.compactMap { $0.customerID.map(ExactText.init) })
        return customerID == nil && owners.count == 1 ? owners.first?.string : nil
    }

    /// The owner of the query's transaction, if the query names no customer.
    ///
    /// It is needed for purchases that are no subscriptions, which a customer's record does not contain.
    private var ownerOfPurchase: String? {
        found.first.flatMap { isOfTransaction && !$0.chain.transactions.isEmpty ? $0.customerID : nil }
    }

    /// Whether a chain of the Apple account counts as the customer's own purchase.
    ///
    /// A query that names only the account claims all of its chains while no customer is known. Otherwise the customer's own
    /// chains count, and those of the named account without an owner.
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
