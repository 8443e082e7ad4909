/// Why signed data is not accepted.
///
/// Two errors are equal if their codes are equal. The detail is for people.
public struct SignedDataError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A stable code of the cause.
    public enum Code: String, Sendable, CaseIterable {
        /// The text is too long or does not consist of three parts in base64url, or its header is not a JSON object.
        case malformedJWS = "malformed-jws"
        /// The algorithm in the header (`alg`) is not ES256.
        case unsupportedAlgorithm = "unsupported-algorithm"
        /// The header `x5c` is missing, has the wrong number of entries, or has an entry that is not a certificate.
        case malformedCertificateChain = "malformed-certificate-chain"
        /// None of the trusted roots has issued the intermediate certificate.
        case untrustedRoot = "untrusted-root"
        /// The intermediate certificate has not issued the leaf, or is not allowed to issue certificates.
        case invalidCertificateChain = "invalid-certificate-chain"
        /// The intermediate certificate lacks Apple's extension 1.2.840.113635.100.6.2.1.
        case missingIntermediateMarker = "missing-intermediate-marker"
        /// The leaf certificate lacks Apple's extension 1.2.840.113635.100.6.11.1.
        case missingLeafMarker = "missing-leaf-marker"
        /// A certificate had expired when the data was signed.
        case certificateExpired = "certificate-expired"
        /// A certificate was not valid yet when the data was signed.
        case certificateNotYetValid = "certificate-not-yet-valid"
        /// A certificate's key is of a kind that is not accepted. In a JWS, each key must be on P-384 or P-256, and the leaf's on
        /// P-256. In a receipt, each key must be RSA with 2048 bits or more.
        case unsupportedCertificateKey = "unsupported-certificate-key"
        /// The signature was not made with the key of the leaf certificate.
        case invalidSignature = "invalid-signature"
        /// The signing date is more than a day ahead of this machine's clock.
        case signedInFuture = "signed-in-future"
        /// The payload is not a JSON object, or its signing date is invalid.
        case malformedPayload = "malformed-payload"
        /// The data belongs to another bundle id. The verifier's caller checks this.
        case bundleMismatch = "bundle-mismatch"
        /// The data comes from another environment. The verifier's caller checks this.
        case environmentMismatch = "environment-mismatch"
        /// The data belongs to another app (`appAppleId`). The verifier's caller checks this.
        case appMismatch = "app-mismatch"
        /// A real-time request was signed more than five minutes before or after this machine's time. The verifier's caller
        /// checks this.
        case staleRequest = "stale-request"
        /// The data is from Xcode or another local test, and the configuration does not contain its certificate.
        case localCertificateUnknown = "local-certificate-unknown"
        /// A root certificate that the configuration names cannot be read. This is found when the configuration is read.
        case unusableTrustedRoot = "unusable-trusted-root"
    }

    /// The cause.
    public let code: Code
    /// What was found and what to do about it, in a sentence or two. It never contains the data.
    public let detail: String

    /// - Parameter detail: a sentence or two for people. It must not contain the data.
    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// Compares only the codes.
    public static func == (left: SignedDataError, right: SignedDataError) -> Bool { left.code == right.code }

    /// Code and detail, for logs and terminals.
    public var description: String { "\(code.rawValue): \(detail)" }
}
