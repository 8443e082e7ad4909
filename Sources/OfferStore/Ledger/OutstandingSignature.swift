package import EligibilityRules
package import FoundationEssentials

/// A signature that counts under a name of a limit until it lapses.
package struct OutstandingSignature: Sendable {
    /// What may be given once more.
    package struct Kept: Sendable {
        package let entry: LedgerEntry
        package let nonce: UUID
        package let token: [UInt8]

        /// Takes the values as they are.
        package init(_ entry: LedgerEntry, nonce: UUID, token: [UInt8]) {
            self.entry = entry
            self.nonce = nonce
            self.token = token
        }
    }

    /// Tells it from others: one that counts under several names counts once. Not negative.
    package let id: Int64
    /// Until then it counts.
    package let until: Instant
    /// Nil where there is nothing to give once more, or it was not asked for.
    package let kept: Kept?

    /// Takes the values as they are.
    package init(id: Int64, until: Instant, kept: Kept? = nil) {
        self.id = id
        self.until = until
        self.kept = kept
    }
}
