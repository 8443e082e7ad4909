package import EligibilityRules
package import FoundationEssentials

/// The stored uses under a limit name.
package struct LimitUses: Sendable {
    /// Signatures, the oldest first, including lapsed ones.
    package var outstanding: [OutstandingSignature]
    package var redeemed: [CountedUse]

    package init(outstanding: [OutstandingSignature] = [], redeemed: [CountedUse] = []) {
        self.outstanding = outstanding
        self.redeemed = redeemed
    }
}

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

/// A signature that counts under a limit name until it lapses.
package struct OutstandingSignature: Sendable {
    /// The unique id, not negative. A signature that counts under several names counts once.
    package let id: Int64
    /// When it stops counting.
    package let until: Instant
    /// The signature's nonce; nil if the store finds the signature by its id.
    package let nonce: UUID?
    /// The totals in which it holds its customer's place.
    package let held: [LimitKey]
    /// Whose place that is: the first name in each scope.
    package let owners: [LimitKey]

    package init(id: Int64, until: Instant, nonce: UUID? = nil, held: [LimitKey] = [], owners: [LimitKey] = []) {
        self.id = id
        self.until = until
        self.nonce = nonce
        self.held = held
        self.owners = owners
    }
}
