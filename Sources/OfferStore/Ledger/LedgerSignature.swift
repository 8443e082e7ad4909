public import FoundationEssentials

/// One signature of a request.
public struct LedgerSignature: Equatable, Sendable {
    /// The nonce.
    public let nonce: UUID
    /// The day on which the nonce was issued, counted since 1970, as the nonce's seal proves.
    ///
    /// It is 0 in an entry that was read from a store, which does not keep it.
    public let issuedDay: Int64
    /// Product id.
    public let productID: String
    /// The offer id; empty for an introductory offer.
    public let offerID: String
    /// The App Store transaction id, if each signature has its own.
    public let transactionID: String?
    /// SHA-256 of the signed bytes, which proves what was signed.
    public let digest: [UInt8]

    /// Requires a digest of 32 bytes, and checks nothing else.
    public init(
        nonce: UUID,
        issuedDay: Int64 = 0,
        productID: String,
        offerID: String,
        transactionID: String? = nil,
        digest: [UInt8]
    ) {
        precondition(digest.count == LedgerSignature.digestLength)
        self.nonce = nonce
        self.issuedDay = issuedDay
        self.productID = productID
        self.offerID = offerID
        self.transactionID = transactionID
        self.digest = digest
    }

    /// Length of a nonce in bytes.
    package static let nonceLength = 16
    /// Length of a digest in bytes.
    package static let digestLength = 32
}
