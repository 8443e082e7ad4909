package import EligibilityRules

/// A use that counts for a limit.
package enum LimitUse: Hashable, Sendable {
    /// A signature that the App Store accepts until then.
    case outstanding(until: Instant)
    /// A purchase with the offer.
    case redeemed(at: Instant, isRefunded: Bool)
}
