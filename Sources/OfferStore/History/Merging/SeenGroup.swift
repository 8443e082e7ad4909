package import EligibilityRules

/// The subscription group that the App Store named for a product in a purchase.
package struct SeenGroup: Sendable {
    /// The product.
    package let productID: String
    /// Its group.
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
