import EligibilityRules

/// What a store found for a batch's keys. Keys without a result are absent.
package struct LedgerFacts {
    /// Revoked signing keys that sign for the batch.
    package var revokedSigners: Set<SigningKeyUse> = []
    /// Revoked access keys.
    package var revokedCallers: Set<String> = []
    /// Earlier answers, including those too old to be repeated.
    package var answers: [LedgerKeys.Answer: IdempotencyRecord] = [:]
    /// The campaign that holds each unit.
    package var holders: [HoldKey: String] = [:]
    /// Series with a used nonce.
    package var series: Set<UInt64> = []
    /// The uses under each limit name of customers.
    package var uses: [LimitKey: LimitUses] = [:]
    /// The totals of limits, without lapsed signatures.
    package var totals: [LimitKey: LimitTotal] = [:]

    package init() {}
}

/// A signing key in an app for which it signs.
package struct SigningKeyUse: Hashable, Sendable {
    package let keyID: String
    package let bundleID: String

    package init(keyID: String, bundleID: String) { (self.keyID, self.bundleID) = (keyID, bundleID) }

    /// The signing key of an entry.
    init(_ entry: LedgerEntry) { self.init(keyID: entry.keyID, bundleID: entry.partition.bundleID) }
}
