/// Why a token is not accepted, or a set of keys for tokens cannot be used.
///
/// Equal when the codes are equal: the detail is for people.
public struct TokenError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A stable name of the cause.
    public enum Code: String, Sendable, CaseIterable {
        /// Not three parts of base64url, too long, or no JSON object where there must be one.
        case malformedToken = "malformed-token"
        /// `alg` is none of those that are taken here, or not that of the key.
        case unsupportedAlgorithm = "unsupported-algorithm"
        /// Critical parameters, or a type that is no token for this purpose.
        case unsupportedHeader = "unsupported-header"
        /// No app takes tokens of this issuer.
        case unknownIssuer = "unknown-issuer"
        /// The issuer's set has no such key.
        case unknownKey = "unknown-key"
        /// The key did not make the signature.
        case invalidSignature = "invalid-signature"
        /// A claim is missing, or not of its type.
        case unusableClaim = "unusable-claim"
        /// None of the audiences is an app's.
        case wrongAudience = "wrong-audience"
        /// `exp` is over.
        case expired
        /// `nbf` is still to come.
        case notYetValid = "not-yet-valid"
        /// A document that is no set of keys (RFC 7517).
        case malformedKeySet = "malformed-key-set"
    }

    /// The cause.
    public let code: Code
    /// What was found and what to do about it; never what the token says.
    public let detail: String

    /// - Parameter detail: a sentence for people; never what the token says.
    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// Equal when the codes are equal.
    public static func == (left: TokenError, right: TokenError) -> Bool { left.code == right.code }

    /// Code and detail, for logs and terminals.
    public var description: String { "\(code.rawValue): \(detail)" }
}
