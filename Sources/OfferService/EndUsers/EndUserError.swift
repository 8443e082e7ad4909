import OfferSigning

/// Why the token of an end user is refused.
package enum EndUserError: Error, Equatable {
    /// The token is not accepted; a stable code and a sentence.
    case invalidToken(code: String, detail: String)
    /// There are no keys for its verification, or they are too old.
    case keysUnavailable
    /// Too many new tokens at once.
    case busy

    /// From the error of a token.
    init(_ error: TokenError) { self = .invalidToken(code: error.code.rawValue, detail: error.detail) }
}

extension EndUserError: FailureDescribing {
    package var asFailure: Failure {
        switch self {
        case .invalidToken: .unexpected(self)
        case .keysUnavailable:
            Failure(.tokenIssuer, "token-keys-unavailable", "the keys of the issuer of end users' tokens could not be read")
        case .busy: Failure(.load, "busy", "too many tokens of end users at once")
        }
    }
}
