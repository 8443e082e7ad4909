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
    /// A signature that can be returned again.
    package struct Kept: Sendable {
        package let entry: LedgerEntry
        package let nonce: UUID
        package let token: [UInt8]

        package init(_ entry: LedgerEntry, nonce: UUID, token: [UInt8]) {
            self.entry = entry
            self.nonce = nonce
            self.token = token
        }
    }

    /// The unique id, not negative. A signature that counts under several names counts once.
    package let id: Int64
    /// When it stops counting.
    package let until: Instant
    /// The signature itself; nil if it cannot be returned again, or was not queried.
    package let kept: Kept?

    package init(id: Int64, until: Instant, kept: Kept? = nil) {
        self.id = id
        self.until = until
        self.kept = kept
    }
}
