package import EligibilityRules

/// The row that a store writes for one chain.
package struct ChainRow: Sendable {
    /// A reading replica's clock may be behind the writer's by this many ms.
    private static let clockTolerance: Int64 = 600_000

    /// The chain itself, with the ids that it is indexed by.
    package let chain: PurchaseChain
    /// The owner, with the proof; nil for none.
    package let owner: CustomerClaim?
    /// When the row was written.
    package let updatedAt: Instant
    /// When to poll the App Store about it next; nil for never.
    package let pollAt: Instant?
    /// Whether look-ups that decide about subscriptions find it.
    package let isSubscription: Bool
    /// The encoded summary: what decides from now on.
    package let summary: [UInt8]
    /// The encoded whole chain.
    package let record: [UInt8]

    /// Creates the row of a chain that is written at an instant.
    ///
    /// - Parameter answersPoll: whether the chain was written because of a poll's answer.
    package init(_ chain: PurchaseChain, owner: CustomerClaim?, at now: Instant, answersPoll: Bool = false) {
        self.chain = chain
        self.owner = owner
        updatedAt = now
        pollAt = PollSchedule.next(for: chain, after: now, lastAsked: answersPoll ? now : nil)
        isSubscription = chain.concernsSubscriptions
        summary = ChainRecord.bytes(of: chain.summary(from: now.advanced(by: -Self.clockTolerance)))
        record = ChainRecord.bytes(of: chain)
    }
}
