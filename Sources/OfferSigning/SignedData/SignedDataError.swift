/// Why signed data is not accepted.
///
/// Errors are equal if their codes are equal. The detail is for people.
public struct SignedDataError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A stable code of the cause.
    public enum Code: String, Sendable, CaseIterable {
        /// Not three parts of base64url, too long, or a header that is not a JSON object.
        case malformedJWS = "malformed-jws"
        /// `alg` is not ES256.
        case unsupportedAlgorithm = "unsupported-algorithm"
        /// `x5c` is missing, has the wrong number of entries, or entries that are not certificates.
        case malformedCertificateChain = "malformed-certificate-chain"
        /// The intermediate was issued by none of the trusted roots.
        case untrustedRoot = "untrusted-root"
        /// The leaf was not issued by the intermediate, or the intermediate is not an authority.
        case invalidCertificateChain = "invalid-certificate-chain"
        /// The intermediate lacks Apple's extension 1.2.840.113635.100.6.2.1.
        case missingIntermediateMarker = "missing-intermediate-marker"
        /// The leaf lacks Apple's extension 1.2.840.113635.100.6.11.1.
        case missingLeafMarker = "missing-leaf-marker"
        /// A certificate had expired when the data was signed.
        case certificateExpired = "certificate-expired"
        /// A certificate was not valid yet when the data was signed.
        case certificateNotYetValid = "certificate-not-yet-valid"
        /// A key is not on P-384 or P-256, or the leaf's is not on P-256; in a receipt, a key is not RSA of 2048 bits or more.
        case unsupportedCertificateKey = "unsupported-certificate-key"
        /// The leaf's key did not make the signature.
        case invalidSignature = "invalid-signature"
        /// The signing date is more than a day ahead of this machine's clock.
        case signedInFuture = "signed-in-future"
        /// The payload is not a JSON object, or its signing date is invalid.
        case malformedPayload = "malformed-payload"
        /// The data belongs to another bundle id; found by the caller.
        case bundleMismatch = "bundle-mismatch"
        /// The data comes from another environment; found by the caller.
        case environmentMismatch = "environment-mismatch"
        /// The data belongs to another app (`appAppleId`); found by the caller.
        case appMismatch = "app-mismatch"
        /// A request that waits for an answer was signed more than five minutes ago, or ahead of this clock; found by the caller.
        case staleRequest = "stale-request"
        /// The data is from Xcode or a local test, and its certificate is not one of the configured ones.
        case localCertificateUnknown = "local-certificate-unknown"
        /// A configured root certificate cannot be read; found while reading the configuration.
        case unusableTrustedRoot = "unusable-trusted-root"
    }

    /// The cause.
    public let code: Code
    /// What was found and what to do about it, in a sentence or two. Never contains the data.
    public let detail: String

    /// - Parameter detail: a sentence or two for people. Must not contain the data.
    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// Equal when the codes are equal.
    public static func == (left: SignedDataError, right: SignedDataError) -> Bool { left.code == right.code }

    /// Code and detail, for logs and terminals.
    public var description: String { "\(code.rawValue): \(detail)" }
}
