package import EligibilityRules

/// What a transaction is to write of a subscription's receipt.
package enum ReceiptNews: Sendable {
    /// It is kept in place of the one that there is, and the App Store is to be asked with it when it is due; nil: never.
    case kept(KeptReceipt, at: Instant, dueAt: Instant?)
    /// The App Store is to be asked with the one that there is; nil: not any more.
    case scheduled(Instant?)
}
