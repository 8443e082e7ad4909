package import EligibilityRules

/// Everything that a transaction writes about one chain.
package struct ChainNews: Sendable {
    /// The original transaction.
    package let key: HistoryKey
    /// The store's number of the chain; nil for a new one.
    package let id: Int64?
    /// The new row; nil leaves the stored one.
    package var row: ChainRow?
    /// Transactions to index for this chain, unless they are indexed.
    package var transactions: [String] = []
    /// Redemptions to record, unless they are recorded under one of their ids.
    package var redemptions: [RedemptionRecord] = []
    /// Whether to search again for the signatures of those redemptions of the chain that are not tied to a signature yet.
    package var isSearchedAgain = false

    init(_ key: HistoryKey, id: Int64?) { (self.key, self.id) = (key, id) }
}

/// Identifies a notification of an app.
package struct NotificationKey: Hashable, Sendable {
    /// The app, by the store's number.
    package let app: Int64
    /// The key of its record.
    package let key: [UInt8]

    package init(app: Int64, key: [UInt8]) { (self.app, self.key) = (app, key) }
}

/// The subscription group that the App Store named for a product in a purchase.
package struct SeenGroup: Sendable {
    package let productID: String
    package let groupID: String
    /// When the purchase was made.
    package let purchasedAt: Instant

    package init(productID: String, groupID: String, purchasedAt: Instant) {
        self.productID = productID
        self.groupID = groupID
        self.purchasedAt = purchasedAt
    }

    /// Whether another group replaces this one: a product can move, so the later purchase counts.
    package func isReplaced(by other: SeenGroup) -> Bool {
        ExactText(groupID) != ExactText(other.groupID) && purchasedAt <= other.purchasedAt
    }
}
