package import EligibilityRules

/// What is known of a kept receipt besides its bytes.
package struct ReceiptStanding: Equatable, Sendable {
    /// The latest instant of which it tells.
    package let shownAt: Instant
    /// When the App Store was last asked about it; nil if never.
    package let verifiedAt: Instant?
    /// When it is to be asked about next; nil: not any more.
    package let dueAt: Instant?
    /// Why the last question was not answered; nil if it was.
    package let reason: String?

    /// Takes the values as they are.
    package init(shownAt: Instant, verifiedAt: Instant?, dueAt: Instant?, reason: String?) {
        self.shownAt = shownAt
        self.verifiedAt = verifiedAt
        self.dueAt = dueAt
        self.reason = reason
    }

    /// Whether the App Store will never take it again, or nobody can read it.
    package var isUseless: Bool { reason != nil && dueAt == nil }

    /// Whether another takes its place: one that tells of later, or any if this one is of no use.
    ///
    /// A notification that comes late must not bring an old receipt back.
    package func isReplaced(by receipt: KeptReceipt) -> Bool { isUseless || receipt.shownAt >= shownAt }

    /// When the App Store is to be asked, now that something else is known of the subscription.
    package func due(_ chain: PurchaseChain, at now: Instant) -> Instant? {
        guard !isUseless else { return nil }
        let due = PollSchedule.next(for: chain, after: now, lastAsked: verifiedAt, sweeps: false)
        // News must not undo the pause after a failure.
        guard reason != nil, let dueAt, let due else { return due }
        return max(due, dueAt)
    }
}
