package import EligibilityRules

/// The keys of one query to a store, by kind.
package struct HistoryKeys: Sendable {
    /// Names, to find the customer of each.
    package var names: Set<HistoryKey> = []
    /// Original transactions, to find the chain of each.
    package var chains: Set<HistoryKey> = []
    /// Transactions, original or not, to find the chain of each.
    package var transactions: Set<HistoryKey> = []
    /// Original transactions, to find the chains that replaced each.
    package var successors: Set<HistoryKey> = []
    /// Account tokens, to find the chains bought with each.
    package var tokens: Set<HistoryKey> = []
    /// Customers, to find the chains of each.
    package var customers: Set<HistoryKey> = []
    /// Original transactions, to find the state of each one's receipt.
    package var receipts: Set<HistoryKey> = []
    /// Products, to find the group last noted for each.
    package var products: Set<HistoryKey> = []
    /// Customers, to find the record of each.
    package var customerSummaries: Set<HistoryKey> = []
    /// Apple accounts, by `appTransactionId`, to find the customers who own subscriptions of each.
    package var accounts: Set<HistoryKey> = []

    package init() {}

    private static var kinds: [WritableKeyPath<HistoryKeys, Set<HistoryKey>>] {
        [
            \.names, \.chains, \.transactions, \.successors, \.tokens, \.customers, \.receipts, \.products, \.customerSummaries,
            \.accounts,
        ]
    }

    var isEmpty: Bool { Self.kinds.allSatisfy { self[keyPath: $0].isEmpty } }

    /// Returns the keys that are not in the other query.
    func subtracting(_ others: HistoryKeys) -> HistoryKeys {
        var rest = self
        for kind in Self.kinds where !rest[keyPath: kind].isEmpty { rest[keyPath: kind].subtract(others[keyPath: kind]) }
        return rest
    }

    /// Adds the keys of the other query.
    mutating func formUnion(_ others: HistoryKeys) {
        for kind in Self.kinds where !others[keyPath: kind].isEmpty { self[keyPath: kind].formUnion(others[keyPath: kind]) }
    }
}

/// An id, within an app in an environment, that rows of histories are found by.
package struct HistoryKey: Hashable, Comparable, Sendable {
    /// The app, by the store's number.
    package let app: Int64
    package let text: ExactText

    package init(_ app: Int64, _ text: String) { (self.app, self.text) = (app, ExactText(text)) }

    package var string: String { text.string }

    /// Orders by app, then by bytes. All transactions lock rows in this order.
    package static func < (left: HistoryKey, right: HistoryKey) -> Bool { (left.app, left.text) < (right.app, right.text) }

    /// Returns another id of the same app.
    func with(_ text: String) -> HistoryKey { HistoryKey(app, text) }
}
