package import EligibilityRules

/// The state of a stored receipt, without its bytes.
package struct ReceiptState: Equatable, Sendable {
    /// The latest instant that the receipt covers.
    package let shownAt: Instant
    /// When the App Store last verified it; nil for never.
    package let verifiedAt: Instant?
    /// When to verify it next; nil for never.
    package let dueAt: Instant?
    /// Why the last verification failed; nil if it did not.
    package let reason: String?

    package init(shownAt: Instant, verifiedAt: Instant?, dueAt: Instant?, reason: String?) {
        self.shownAt = shownAt
        self.verifiedAt = verifiedAt
        self.dueAt = dueAt
        self.reason = reason
    }

    /// Whether the receipt is permanently rejected or unreadable.
    package var isUseless: Bool { reason != nil && dueAt == nil }

    /// Whether another receipt replaces this one. It must be at least as recent, unless this one is useless.
    ///
    /// An old receipt in a late notification must not replace a newer one.
    package func isReplaced(by receipt: KeptReceipt) -> Bool { isUseless || receipt.shownAt >= shownAt }

    /// When to verify the receipt next, after a change of the subscription.
    package func due(_ chain: PurchaseChain, at now: Instant) -> Instant? {
        guard !isUseless else { return nil }
        let due = PollSchedule.next(for: chain, after: now, lastAsked: verifiedAt, sweeps: false)
        // A change must not shorten the pause after a failure.
        guard reason != nil, let dueAt, let due else { return due }
        return max(due, dueAt)
    }
}
