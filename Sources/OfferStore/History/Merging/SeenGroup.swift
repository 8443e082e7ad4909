package import EligibilityRules

/// The subscription group that the App Store named for a product with a purchase.
package struct SeenGroup: Sendable {
    /// The product.
    package let productID: String
    /// Its group.
    package let groupID: String
    /// When the purchase was made.
    package let purchasedAt: Instant

    /// Takes the values as they are.
    package init(productID: String, groupID: String, purchasedAt: Instant) {
        self.productID = productID
        self.groupID = groupID
        self.purchasedAt = purchasedAt
    }

    /// Whether another one of the product is to stand in its place: a product can move, and the later purchase knows.
    package func isReplaced(by other: SeenGroup) -> Bool {
        ExactText(groupID) != ExactText(other.groupID) && purchasedAt <= other.purchasedAt
    }
}
