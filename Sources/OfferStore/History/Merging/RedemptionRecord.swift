package import EligibilityRules

/// A promotional offer that a transaction redeemed, recorded until its signature is found.
package struct RedemptionRecord: Equatable, Sendable {
    /// The transaction.
    package let transactionID: String
    /// The product bought.
    package let productID: String
    /// The offer.
    package let offerID: String
    /// When the product was bought.
    package let purchasedAt: Instant

    /// Takes the values as they are.
    package init(transactionID: String, productID: String, offerID: String, purchasedAt: Instant) {
        self.transactionID = transactionID
        self.productID = productID
        self.offerID = offerID
        self.purchasedAt = purchasedAt
    }

    /// Returns nil for a transaction that redeemed no promotional offer.
    package init?(_ transaction: PurchaseTransaction) {
        guard let offer = transaction.offer, offer.kind == .promotional, let offerID = offer.id else { return nil }
        self.init(
            transactionID: transaction.id, productID: transaction.productID, offerID: offerID,
            purchasedAt: transaction.purchasedAt)
    }
}
