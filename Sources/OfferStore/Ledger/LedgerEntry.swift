public import EligibilityRules
public import FoundationEssentials

/// One signature that was made: a row of the ledger, its primary key the nonce.
public struct LedgerEntry: Equatable, Sendable {
    /// What kind of signature the row stands for.
    public enum Form: String, Sendable, CaseIterable {
        case payload
        case promotionalJWS = "promotional-jws"
        case introductoryJWS = "introductory-jws"
    }

    /// The nonce.
    public let nonce: UUID
    /// The timestamp of the signature.
    public let signedAt: Instant
    /// The app's bundle id.
    public let bundleID: String
    /// Id of the key that signs.
    public let keyID: String
    /// Product id.
    public let productID: String
    /// Empty for an introductory-offer signature.
    public let offerID: String
    /// Kind of signature.
    public let form: Form
    /// Id of the access key that asked.
    public let caller: String
    /// The app's own id of the customer.
    public let customerID: String?
    /// Field 5 as signed; nil in a JWS.
    public let applicationUsername: String?
    /// App Store transaction id, if one was given.
    public let transactionID: String?
    /// Id of the request that asked.
    public let requestID: String
    /// SHA-256 of the signed bytes: proves what was signed.
    public let digest: [UInt8]

    /// Takes the values as they are.
    public init(
        nonce: UUID,
        signedAt: Instant,
        bundleID: String,
        keyID: String,
        productID: String,
        offerID: String,
        form: Form,
        caller: String,
        customerID: String?,
        applicationUsername: String?,
        transactionID: String?,
        requestID: String,
        digest: [UInt8]
    ) {
        self.nonce = nonce
        self.signedAt = signedAt
        self.bundleID = bundleID
        self.keyID = keyID
        self.productID = productID
        self.offerID = offerID
        self.form = form
        self.caller = caller
        self.customerID = customerID
        self.applicationUsername = applicationUsername
        self.transactionID = transactionID
        self.requestID = requestID
        self.digest = digest
    }
}
