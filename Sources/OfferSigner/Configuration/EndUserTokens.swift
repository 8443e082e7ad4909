import OfferSigning

/// Whose tokens an app takes from its users, as configured.
struct EndUserTokens: Equatable {
    /// Where the issuer's public keys are.
    enum KeySource: Hashable {
        case file(String)
        case url(String)
    }

    /// `iss`.
    let issuer: String
    /// Those of `aud` that are for the app.
    let audiences: [String]
    let algorithms: Set<TokenAlgorithm>
    let source: KeySource
    /// Time between two looks at the keys.
    let refreshSeconds: Int64
    /// How long keys are believed that cannot be read again.
    let maxAgeSeconds: Int64
    let leewaySeconds: Int64
    /// Nil: no claim holds the account token.
    let accountTokenClaim: String?

    /// Whether both say the same of one issuer, whatever the audiences.
    func isSameIssuer(as other: EndUserTokens) -> Bool {
        issuer == other.issuer && algorithms == other.algorithms && source == other.source
            && refreshSeconds == other.refreshSeconds && maxAgeSeconds == other.maxAgeSeconds
            && leewaySeconds == other.leewaySeconds && accountTokenClaim == other.accountTokenClaim
    }
}
