public import EligibilityRules

/// The signatures of one request.
public struct LedgerEntry: Equatable, Sendable {
    /// The form of a signature.
    public enum Form: String, Sendable, CaseIterable {
        case payload
        case promotionalJWS = "promotional-jws"
        case introductoryJWS = "introductory-jws"

        /// As requests and answers name it: `payload` or `jws`. An introductory offer has no id.
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
    /// The request that asked for them.
    public let request: LedgerRequest
    /// The signatures, at least one.
    public let signatures: [LedgerSignature]

    /// Takes the values as they are.
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
