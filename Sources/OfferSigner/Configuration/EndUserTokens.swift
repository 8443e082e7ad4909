import OfferSigning

/// The tokens that an app accepts from its users, as configured.
struct EndUserTokens: Equatable {
    /// The place of the issuer's public keys.
    enum KeySource: Hashable {
        case file(String)
        case url(String)
    }

    /// The claim `iss`.
    let issuer: String
    /// The values of `aud` that are for the app.
    let audiences: [String]
    let algorithms: Set<TokenAlgorithm>
    let source: KeySource
    /// The time between two checks of the keys.
    let refreshSeconds: Int64
    /// How long keys are trusted that cannot be read again.
    let maxAgeSeconds: Int64
    let leewaySeconds: Int64
    /// Nil: no claim holds the account token.
    let accountTokenClaim: String?

    /// Whether both configure one issuer identically, whatever the audiences.
    func isSameIssuer(as other: EndUserTokens) -> Bool {
        issuer == other.issuer && algorithms == other.algorithms && source == other.source
            && refreshSeconds == other.refreshSeconds && maxAgeSeconds == other.maxAgeSeconds
            && leewaySeconds == other.leewaySeconds && accountTokenClaim == other.accountTokenClaim
    }
}
