public import EligibilityRules

/// The signatures of one request.
public struct LedgerEntry: Equatable, Sendable {
    /// The form of a signature.
    public enum Form: String, Sendable, CaseIterable {
        case payload
        case promotionalJWS = "promotional-jws"
        case introductoryJWS = "introductory-jws"
    }

    /// The timestamp of the signatures.
    public let signedAt: Instant
    /// The app in an environment.
    public let partition: AppPartition
    /// Id of the signing key.
    public let keyID: String
    /// The form of the signatures.
    public let form: Form
    /// Id of the caller's access key.
    public let caller: String
    /// The app's own id of the customer.
    public let customerID: String?
    /// Field 5 of the payload as signed; nil for a JWS.
    public let applicationUsername: String?
    /// The App Store transaction id, if one was given for all signatures.
    public let transactionID: String?
    /// Id of the request.
    public let requestID: String
    /// The address that sent the request; nil if not recorded.
    public let address: String?
    /// The signatures, at least one.
    public let signatures: [LedgerSignature]

    /// Takes the values as they are.
    public init(
        signedAt: Instant,
        partition: AppPartition,
        keyID: String,
        form: Form,
        caller: String,
        customerID: String?,
        applicationUsername: String?,
        transactionID: String?,
        requestID: String,
        address: String? = nil,
        signatures: [LedgerSignature]
    ) {
        precondition(!signatures.isEmpty)
        self.signedAt = signedAt
        self.partition = partition
        self.keyID = keyID
        self.form = form
        self.caller = caller
        self.customerID = customerID
        self.applicationUsername = applicationUsername
        self.transactionID = transactionID
        self.requestID = requestID
        self.address = address
        self.signatures = signatures
    }
}
