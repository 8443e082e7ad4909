/// What a store has under a name of a limit.
package struct LimitUses: Sendable {
    /// Signatures, the oldest first, also those that have lapsed.
    package var outstanding: [OutstandingSignature]
    /// Redemptions.
    package var redeemed: [CountedUse]

    /// Takes the values as they are.
    package init(outstanding: [OutstandingSignature] = [], redeemed: [CountedUse] = []) {
        self.outstanding = outstanding
        self.redeemed = redeemed
    }
}
