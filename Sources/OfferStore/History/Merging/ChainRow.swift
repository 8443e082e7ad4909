package import EligibilityRules

/// What a store writes of one chain.
package struct ChainRow: Sendable {
    /// Another replica that reads may have a clock that is behind the writer's by so much, in ms.
    private static let clockTolerance: Int64 = 600_000

    /// The chain itself; its ids are what it is found by.
    package let chain: PurchaseChain
    /// Whose it is, and what shows it; nil while nobody's.
    package let owner: CustomerClaim?
    /// When it was written.
    package let updatedAt: Instant
    /// When the App Store is to be asked about it; nil: not at all.
    package let pollAt: Instant?
    /// Whether look-ups that decide about subscriptions are to find it.
    package let isSubscription: Bool
    /// The bytes of what decides questions from now on.
    package let gist: [UInt8]
    /// The bytes of all of it.
    package let record: [UInt8]

    /// The row of a chain that is written at an instant.
    package init(_ chain: PurchaseChain, owner: CustomerClaim?, at now: Instant) {
        self.chain = chain
        self.owner = owner
        updatedAt = now
        pollAt = PollSchedule.next(for: chain, after: now)
        isSubscription = chain.concernsSubscriptions
        gist = ChainRecord.bytes(of: chain.gist(from: now.advanced(by: -Self.clockTolerance)))
        record = ChainRecord.bytes(of: chain)
    }
}
