package import EligibilityRules

/// A promotional offer that a transaction redeemed, as it is noted until its signature is found.
package struct RedemptionRecord: Equatable, Sendable {
    /// The transaction.
    package let transactionID: String
    /// What was bought.
    package let productID: String
    /// The offer.
    package let offerID: String
    /// When it was bought.
    package let purchasedAt: Instant

    /// Takes the values as they are.
    package init(transactionID: String, productID: String, offerID: String, purchasedAt: Instant) {
        self.transactionID = transactionID
        self.productID = productID
        self.offerID = offerID
        self.purchasedAt = purchasedAt
    }

    /// Nil for a transaction that redeemed no offer which we sign.
    package init?(_ transaction: PurchaseTransaction) {
        guard let offer = transaction.offer, offer.kind == .promotional, let offerID = offer.id else { return nil }
        self.init(
            transactionID: transaction.id, productID: transaction.productID, offerID: offerID,
            purchasedAt: transaction.purchasedAt)
    }
}
