/// What a store is asked for in one look, by kind.
package struct HistoryKeys: Sendable {
    /// Names: the customer whom each stands for.
    package var names: Set<HistoryKey> = []
    /// Original transactions: the chain of each.
    package var chains: Set<HistoryKey> = []
    /// Transactions, original or not: the chain of each.
    package var transactions: Set<HistoryKey> = []
    /// Original transactions: the chains that took the place of each.
    package var successors: Set<HistoryKey> = []
    /// Account tokens: the chains that were bought with each.
    package var tokens: Set<HistoryKey> = []
    /// Customers: the chains of each.
    package var customers: Set<HistoryKey> = []
    /// Original transactions: what is known of the receipt of each.
    package var receipts: Set<HistoryKey> = []
    /// Products: the group that was last noted for each.
    package var products: Set<HistoryKey> = []
    /// Customers: what is drawn of each.
    package var drawings: Set<HistoryKey> = []
    /// Apple accounts, by `appTransactionId`: the customers to whom subscriptions of each are bound.
    package var accounts: Set<HistoryKey> = []

    /// Asks for nothing.
    package init() {}

    private static var kinds: [WritableKeyPath<HistoryKeys, Set<HistoryKey>>] {
        [\.names, \.chains, \.transactions, \.successors, \.tokens, \.customers, \.receipts, \.products, \.drawings, \.accounts]
    }

    /// Whether it asks for nothing.
    var isEmpty: Bool { Self.kinds.allSatisfy { self[keyPath: $0].isEmpty } }

    /// What others do not ask for.
    func subtracting(_ others: HistoryKeys) -> HistoryKeys {
        var rest = self
        for kind in Self.kinds where !rest[keyPath: kind].isEmpty { rest[keyPath: kind].subtract(others[keyPath: kind]) }
        return rest
    }

    /// Asks for what others ask for, too.
    mutating func formUnion(_ others: HistoryKeys) {
        for kind in Self.kinds where !others[keyPath: kind].isEmpty { self[keyPath: kind].formUnion(others[keyPath: kind]) }
    }
}
