/// The stored uses under a limit name.
package struct LimitUses: Sendable {
    /// Signatures, the oldest first, including lapsed ones.
    package var outstanding: [OutstandingSignature]
    /// Redemptions.
    package var redeemed: [CountedUse]

    package init(outstanding: [OutstandingSignature] = [], redeemed: [CountedUse] = []) {
        self.outstanding = outstanding
        self.redeemed = redeemed
    }
}
