/// Why a token is not accepted, or a set of token keys cannot be used.
///
/// Two errors are equal if their codes are equal. The detail is for people.
public struct TokenError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A stable code of the cause.
    public enum Code: String, Sendable, CaseIterable {
        /// The text is too long or does not consist of three parts in base64url, or its header or payload is not a JSON object.
        case malformedToken = "malformed-token"
        /// The header names an algorithm that is not supported, or that is not the one of the key.
        case unsupportedAlgorithm = "unsupported-algorithm"
        /// The header has critical parameters (`crit`), or its type (`typ`) says that the token is for another purpose.
        case unsupportedHeader = "unsupported-header"
        /// No app accepts tokens of this issuer.
        case unknownIssuer = "unknown-issuer"
        /// The issuer's key set contains no key that may have signed the token.
        case unknownKey = "unknown-key"
        /// The signature was not made with the key.
        case invalidSignature = "invalid-signature"
        /// A required claim is missing, or has the wrong type.
        case unusableClaim = "unusable-claim"
        /// None of the token's audiences belongs to an app.
        case wrongAudience = "wrong-audience"
        /// The time in `exp` has passed.
        case expired
        /// The time in `nbf` has not come yet.
        case notYetValid = "not-yet-valid"
        /// A document is not a set of keys (RFC 7517).
        case malformedKeySet = "malformed-key-set"
    }

    /// The cause.
    public let code: Code
    /// What was found and what to do about it. It never contains the token.
    public let detail: String

    /// - Parameter detail: a sentence for people. It must not contain the token.
    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// Compares only the codes.
    public static func == (left: TokenError, right: TokenError) -> Bool { left.code == right.code }

    /// Code and detail, for logs and terminals.
    public var description: String { "\(code.rawValue): \(detail)" }
}
