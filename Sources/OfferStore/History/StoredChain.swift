package import EligibilityRules

/// A chain in a store, with its columns.
package struct StoredChain: Equatable, Sendable {
    /// How much of a chain to read.
    package enum Extent: Sendable {
        /// Only what can still affect a decision, now or later.
        case summary
        /// Everything.
        case whole
    }

    /// The store's number of the chain; nil before it is written.
    package let id: Int64?
    /// The owner, with the proof; nil for none.
    package let owner: CustomerClaim?
    /// When the chain or its owner last changed.
    package let updatedAt: Instant
    /// The chain; empty if the record is damaged.
    package let chain: PurchaseChain
    /// Whether the record is unreadable.
    package let isDamaged: Bool

    package init(id: Int64?, owner: CustomerClaim?, updatedAt: Instant, chain: PurchaseChain, isDamaged: Bool = false) {
        self.id = id
        self.owner = owner
        self.updatedAt = updatedAt
        self.chain = chain
        self.isDamaged = isDamaged
    }

    /// Decodes the bytes of a `ChainRow`, its summary or its record.
    package init(
        id: Int64,
        originalID: ChainRecord.OriginalID,
        owner: CustomerClaim?,
        updatedAt: Instant,
        bytes: UnsafeRawBufferPointer,
        _ decoder: ChainRecord.Decoder
    ) {
        let read = try? decoder.chain(originalID: originalID, bytes: bytes)
        self.init(
            id: id, owner: owner, updatedAt: updatedAt, chain: read ?? PurchaseChain(originalID: originalID.text),
            isDamaged: read == nil)
    }

    /// The owner; nil for none.
    package var customerID: String? { owner?.customerID }

    /// Whether the customer owns the chain, or it has no owner yet.
    package func mayBeOf(_ customer: String) -> Bool { customerID.map { ExactText($0) == ExactText(customer) } ?? true }

    /// Whether the customer owns the chain.
    package func isOf(_ customer: String) -> Bool { customerID != nil && mayBeOf(customer) }

    /// When to poll the App Store again after a poll just made; nil for never.
    package func nextPoll(askedAt instant: Instant) -> Instant? {
        PollSchedule.next(for: chain, after: instant, lastAsked: instant)
    }
}
