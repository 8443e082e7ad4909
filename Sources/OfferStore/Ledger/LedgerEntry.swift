public import EligibilityRules
import FoundationEssentials

/// The signatures of one request.
public struct LedgerEntry: Equatable, Sendable {
    /// The form of a signature.
    public enum Form: String, Sendable, CaseIterable {
        case payload
        case promotionalJWS = "promotional-jws"
        case introductoryJWS = "introductory-jws"

        /// The form as requests and answers name it: `payload` or `jws`.
        ///
        /// They need only one name for both kinds of JWS, because an introductory offer is the one without an id.
        public var name: String { self == .payload ? "payload" : "jws" }
    }

    /// The timestamp of the signatures.
    public let signedAt: Instant
    /// The app in an environment.
    public let partition: AppPartition
    /// Id of the signing key.
    public let keyID: String
    /// The form of the signatures.
    public let form: Form
    /// The request that asked for the signatures.
    public let request: LedgerRequest
    /// The signatures, at least one.
    public let signatures: [LedgerSignature]

    /// Requires at least one signature, and checks nothing else.
    public init(
        signedAt: Instant,
        partition: AppPartition,
        keyID: String,
        form: Form,
        request: LedgerRequest,
        signatures: [LedgerSignature]
    ) {
        precondition(!signatures.isEmpty)
        self.signedAt = signedAt
        self.partition = partition
        self.keyID = keyID
        self.form = form
        self.request = request
        self.signatures = signatures
    }
}

extension LedgerEntry {
    /// Creates an entry from stored values. Throws `damaged` if they are invalid.
    ///
    /// - Parameters:
    ///   - nonces: the concatenated nonces.
    ///   - digests: the concatenated digests.
    ///   - offers: as `OfferList` writes them.
    package init(
        signedAt: Instant,
        partition: AppPartition,
        keyID: String,
        form: String,
        request: LedgerRequest,
        nonces: UnsafeRawBufferPointer,
        digests: UnsafeRawBufferPointer,
        offers: String
    ) throws(StoreError) {
        let offers = try OfferList.read(offers)
        guard let form = Form(rawValue: form) else { throw StoreError(.damaged, "a row of the ledger has no known form") }
        let (nonceLength, digestLength) = (LedgerSignature.nonceLength, LedgerSignature.digestLength)
        guard !offers.isEmpty, nonces.count == offers.count * nonceLength, digests.count == offers.count * digestLength
        else { throw StoreError(.damaged, "a row of the ledger does not have as many nonces and digests as offers") }
        let signatures = offers.enumerated().map { index, offer in
            LedgerSignature(
                nonce: UUID(uuid: nonces.loadUnaligned(fromByteOffset: index * nonceLength, as: uuid_t.self)),
                productID: offer.productID,
                offerID: offer.offerID,
                transactionID: offer.transactionID,
                digest: Array(digests[index * digestLength..<(index + 1) * digestLength])
            )
        }
        self.init(
            signedAt: signedAt, partition: partition, keyID: keyID, form: form, request: request, signatures: signatures)
    }
}
