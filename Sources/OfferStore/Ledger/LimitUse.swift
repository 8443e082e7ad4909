package import EligibilityRules

/// One that counts for a limit.
package enum LimitUse: Hashable, Sendable {
    /// A signature that the App Store would still take, until then.
    case outstanding(until: Instant)
    /// A purchase with the offer.
    case redeemed(at: Instant, isRefunded: Bool)
}
