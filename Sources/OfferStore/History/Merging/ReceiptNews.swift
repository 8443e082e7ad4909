package import EligibilityRules

/// What a transaction writes about a subscription's receipt.
package enum ReceiptNews: Sendable {
    /// Stores it in place of the present one. The App Store verifies it when it is due; nil for never.
    case kept(KeptReceipt, at: Instant, dueAt: Instant?)
    /// Sets when the App Store verifies the present one; nil for never.
    case scheduled(Instant?)
}
