package import EligibilityRules

/// The total use of a limit.
package struct LimitTotal: Equatable, Sendable {
    /// Number of outstanding signatures.
    package var outstanding: Int
    /// Number of redemptions.
    package var redeemed: Int
    /// Number of refunded redemptions.
    package var refunded: Int
    /// When the first outstanding signature lapses; nil if there is none, or it was not looked up.
    package var firstUntil: Instant?

    package init(outstanding: Int = 0, redeemed: Int = 0, refunded: Int = 0, firstUntil: Instant? = nil) {
        self.outstanding = outstanding
        self.redeemed = redeemed
        self.refunded = refunded
        self.firstUntil = firstUntil
    }

    /// The number of uses that count.
    package func counted(withRefunded: Bool) -> Int { outstanding + redeemed - (withRefunded ? 0 : refunded) }
}
