import EligibilityRules

/// What chains are found by beside their own transactions.
struct ChainLink: Hashable {
    enum Kind: CaseIterable {
        /// They took the place of the chain of an original transaction.
        case predecessor
        /// They were bought with an account token.
        case token
        /// They are a customer's.
        case customer
    }

    let kind: Kind
    let key: HistoryKey

    init(_ kind: Kind, _ key: HistoryKey) { (self.kind, self.key) = (kind, key) }

    /// Those that lead to a chain.
    static func all(of stored: StoredChain, _ app: Int64) -> [ChainLink] {
        Kind.allCases.compactMap { kind in id(kind, of: stored).map { ChainLink(kind, HistoryKey(app, $0)) } }
    }

    /// Whether it leads to a chain, which must be of the same app.
    func leads(to stored: StoredChain) -> Bool { Self.id(kind, of: stored).map(ExactText.init) == key.text }

    /// What a store is asked for.
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
