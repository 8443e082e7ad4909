public import EligibilityRules

/// The signatures of one request.
public struct LedgerEntry: Equatable, Sendable {
    /// What kind of signatures.
    public enum Form: String, Sendable, CaseIterable {
        case payload
        case promotionalJWS = "promotional-jws"
        case introductoryJWS = "introductory-jws"
    }

    /// The timestamp of the signatures.
    public let signedAt: Instant
    /// The app in an environment.
    public let partition: AppPartition
    /// Id of the key that signs.
    public let keyID: String
    /// Kind of signatures.
    public let form: Form
    /// Id of the access key that asked.
    public let caller: String
    /// The app's own id of the customer.
    public let customerID: String?
    /// Field 5 as signed; nil in a JWS.
    public let applicationUsername: String?
    /// App Store transaction id, if one was given for all of them.
    public let transactionID: String?
    /// Id of the request that asked.
    public let requestID: String
    /// From where it was asked; nil where that was not recorded.
    public let address: String?
    /// At least one.
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
