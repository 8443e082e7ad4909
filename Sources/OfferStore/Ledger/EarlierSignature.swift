public import EligibilityRules
public import FoundationEssentials

/// A signature that is outstanding and may be had again, as its ledger entry and its reservation tell of it.
public struct EarlierSignature: Equatable, Sendable {
    /// Id of the key that signed.
    public let keyID: String
    /// Its nonce.
    public let nonce: UUID
    /// Its timestamp.
    public let signedAt: Instant
    /// What kind of signature.
    public let form: LedgerEntry.Form
    /// The signature: DER, or the characters of a compact JWS.
    public let token: [UInt8]

    /// One of an entry's.
    package init(_ entry: LedgerEntry, nonce: UUID, token: [UInt8]) {
        keyID = entry.keyID
        signedAt = entry.signedAt
        form = entry.form
        self.nonce = nonce
        self.token = token
    }
}

extension LedgerEntry {
    /// Whether its signatures may be given for a request that would have the other entry: it asks for the same, and who asks is the same.
    package func isGood(for other: LedgerEntry) -> Bool {
        caller == other.caller && form == other.form && partition == other.partition
            && applicationUsername.map(ExactText.init) == other.applicationUsername.map(ExactText.init)
            && transactionID.map(ExactText.init) == other.transactionID.map(ExactText.init)
    }
}
