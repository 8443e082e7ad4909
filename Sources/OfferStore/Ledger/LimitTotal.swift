package import EligibilityRules

/// How many there are of a limit in all.
package struct LimitTotal: Equatable, Sendable {
    /// Signatures.
    package var outstanding: Int
    /// Redemptions.
    package var redeemed: Int
    /// Redemptions that were refunded.
    package var refunded: Int
    /// When the first of the signatures lapses; nil: there is none, or it was not looked for.
    package var firstUntil: Instant?

    /// Takes the values as they are.
    package init(outstanding: Int = 0, redeemed: Int = 0, refunded: Int = 0, firstUntil: Instant? = nil) {
        self.outstanding = outstanding
        self.redeemed = redeemed
        self.refunded = refunded
        self.firstUntil = firstUntil
    }

    /// Those that count.
    package func counted(withRefunded: Bool) -> Int { outstanding + redeemed - (withRefunded ? 0 : refunded) }
}
