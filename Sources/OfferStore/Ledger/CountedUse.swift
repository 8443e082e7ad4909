package import EligibilityRules

/// A redemption that counts under a limit name.
package struct CountedUse: Sendable {
    /// The unique id. A redemption that counts under several names counts once.
    package let transactionID: [UInt8]
    /// When the product was bought.
    package let at: Instant
    /// Whether the App Store refunded or revoked it.
    package let isRefunded: Bool

    package init(transactionID: [UInt8], at: Instant, isRefunded: Bool) {
        self.transactionID = transactionID
        self.at = at
        self.isRefunded = isRefunded
    }
}
