package import EligibilityRules

/// A chain as a store found it, with what stands beside it.
package struct StoredChain: Equatable, Sendable {
    /// How much of a chain is read.
    package enum Extent: Sendable {
        /// What decides questions of now and later.
        case gist
        /// All of it.
        case whole
    }

    /// The store's own number of it; nil while it is not written.
    package let id: Int64?
    /// Whose it is, and what shows it; nil while nobody's.
    package let owner: CustomerClaim?
    /// When anything of it last changed.
    package let updatedAt: Instant
    /// Empty if the record is damaged.
    package let chain: PurchaseChain
    /// Whether the record is not what was written.
    package let isDamaged: Bool

    /// Takes the values as they are.
    package init(id: Int64?, owner: CustomerClaim?, updatedAt: Instant, chain: PurchaseChain, isDamaged: Bool = false) {
        self.id = id
        self.owner = owner
        self.updatedAt = updatedAt
        self.chain = chain
        self.isDamaged = isDamaged
    }

    /// Reads the bytes of a `ChainRow`, its gist or its record.
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

    /// Whose it is; nil while nobody's.
    package var customerID: String? { owner?.customerID }

    /// Whether it is bound to a customer, or to nobody yet.
    package func mayBeOf(_ customer: String) -> Bool { customerID.map { ExactText($0) == ExactText(customer) } ?? true }

    /// Whether it is bound to a customer.
    package func isOf(_ customer: String) -> Bool { customerID != nil && mayBeOf(customer) }

    /// When the App Store, which was just asked about it, is to be asked again; nil: no more.
    package func nextPoll(askedAt instant: Instant) -> Instant? {
        PollSchedule.next(for: chain, after: instant, lastAsked: instant)
    }
}
