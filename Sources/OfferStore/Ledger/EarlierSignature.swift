public import EligibilityRules
public import FoundationEssentials

/// An outstanding signature that can be returned again, from its ledger entry and reservation.
public struct EarlierSignature: Equatable, Sendable {
    /// Id of the signing key.
    public let keyID: String
    /// The signature's nonce.
    public let nonce: UUID
    /// The signature's timestamp.
    public let signedAt: Instant
    /// The form of the signature.
    public let form: LedgerEntry.Form
    /// The signature: DER, or the characters of a compact JWS.
    public let token: [UInt8]

    /// Creates it from one signature of an entry.
    package init(_ entry: LedgerEntry, nonce: UUID, token: [UInt8]) {
        keyID = entry.keyID
        signedAt = entry.signedAt
        form = entry.form
        self.nonce = nonce
        self.token = token
    }
}

extension LedgerEntry {
    /// Whether this entry's signatures can answer a request for the other entry: same caller and same content.
    package func isGood(for other: LedgerEntry) -> Bool {
        request.caller == other.request.caller && form == other.form && partition == other.partition
            && request.applicationUsername.map(ExactText.init) == other.request.applicationUsername.map(ExactText.init)
            && request.transactionID.map(ExactText.init) == other.request.transactionID.map(ExactText.init)
    }
}
