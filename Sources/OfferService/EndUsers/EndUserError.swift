import OfferSigning

/// Why the token of an end user lets nobody in.
package enum EndUserError: Error, Equatable {
    /// The token is not accepted; a stable code and a sentence.
    case invalidToken(code: String, detail: String)
    /// There are no keys to verify it with, or they are too old.
    case keysUnavailable
    /// Too many tokens that were not seen before.
    case busy

    /// Of what is wrong with the token.
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
