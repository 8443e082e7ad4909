package import EligibilityRules

/// A promotional offer that a transaction redeemed, recorded until its signature is found.
package struct RedemptionRecord: Equatable, Sendable {
    /// The transaction's id. The redemption is recorded under it, unless it is recorded already under another id of the purchase.
    package let transactionID: String
    /// Further ids of the same purchase.
    package let otherIDs: [String]
    package let productID: String
    package let offerID: String
    /// When the product was bought.
    package let purchasedAt: Instant

    package init(
        transactionID: String,
        otherIDs: [String] = [],
        productID: String,
        offerID: String,
        purchasedAt: Instant
    ) {
        self.transactionID = transactionID
        self.otherIDs = otherIDs
        self.productID = productID
        self.offerID = offerID
        self.purchasedAt = purchasedAt
    }

    /// Returns nil for a transaction that redeemed no promotional offer.
    package init?(_ transaction: PurchaseTransaction) {
        guard let offer = transaction.offer, offer.kind == .promotional, let offerID = offer.id else { return nil }
        self.init(
            transactionID: transaction.id, otherIDs: transaction.otherIDs, productID: transaction.productID, offerID: offerID,
            purchasedAt: transaction.purchasedAt)
    }

    /// Whether both are about the same purchase.
    func isSame(as other: RedemptionRecord) -> Bool {
        let ids = otherIDs + [transactionID]
        return (other.otherIDs + [other.transactionID]).contains { id in ids.contains { ExactText($0) == ExactText(id) } }
    }
}
