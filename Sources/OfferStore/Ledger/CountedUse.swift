package import EligibilityRules

/// A redemption that counts under a name of a limit.
package struct CountedUse: Sendable {
    /// Tells it from others: one that counts under several names counts once.
    package let transactionID: [UInt8]
    /// When it was bought.
    package let at: Instant
    /// Whether the App Store took it back.
    package let isRefunded: Bool

    /// Takes the values as they are.
    package init(transactionID: [UInt8], at: Instant, isRefunded: Bool) {
        self.transactionID = transactionID
        self.at = at
        self.isRefunded = isRefunded
    }
}
