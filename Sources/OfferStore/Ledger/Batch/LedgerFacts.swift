/// What a store has of a batch's keys. What is not there is left out.
package struct LedgerFacts {
    /// Keys that have signed and are revoked.
    package var revokedSigners: Set<SigningKeyUse> = []
    /// Access keys that are revoked.
    package var revokedCallers: Set<String> = []
    /// Answers given before, also those that are too old to be given once more.
    package var answers: [LedgerKeys.Answer: IdempotencyRecord] = [:]
    /// The campaign that holds a unit.
    package var holders: [HoldKey: String] = [:]
    /// Series of which a nonce was used.
    package var series: Set<UInt64> = []
    /// What counts for limits of customers.
    package var uses: [LimitKey: LimitUses] = [:]
    /// How many there are of a limit in all, without what has lapsed.
    package var totals: [LimitKey: LimitTotal] = [:]

    /// Makes empty ones.
    package init() {}
}
