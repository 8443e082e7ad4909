import EligibilityRules

/// A key, other than a transaction, by which chains are found.
struct ChainLink: Hashable {
    enum Kind: CaseIterable {
        /// The chains that replaced the chain of an original transaction.
        case predecessor
        /// The chains bought with an account token.
        case token
        /// The chains of a customer.
        case customer
    }

    let kind: Kind
    let key: HistoryKey

    init(_ kind: Kind, _ key: HistoryKey) { (self.kind, self.key) = (kind, key) }

    /// All links that lead to a chain.
    static func all(of stored: StoredChain, _ app: Int64) -> [ChainLink] {
        Kind.allCases.compactMap { kind in id(kind, of: stored).map { ChainLink(kind, HistoryKey(app, $0)) } }
    }

    /// Whether the link leads to a chain of the same app.
    func leads(to stored: StoredChain) -> Bool { Self.id(kind, of: stored).map(ExactText.init) == key.text }

    /// The keys of the store's query that this link belongs to.
    var question: WritableKeyPath<HistoryKeys, Set<HistoryKey>> {
        switch kind {
        case .predecessor: \.successors
        case .token: \.tokens
        case .customer: \.customers
        }
    }

    private static func id(_ kind: Kind, of stored: StoredChain) -> String? {
        switch kind {
        case .predecessor: stored.chain.previousOriginalID
        case .token: stored.chain.accountToken
        case .customer: stored.customerID
        }
    }
}
