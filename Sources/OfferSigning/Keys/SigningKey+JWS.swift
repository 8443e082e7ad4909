extension SigningKey {
    /// Returns a compact JWS (ES256) over the claims, and SHA-256 of its signing input.
    public func sign(_ claims: JWSClaims) throws(SigningError) -> (compactJWS: String, digest: [UInt8]) {
        try signCompact(json: claims.json)
    }

    /// Returns the token as a compact JWS (ES256) for the `Authorization: Bearer` header.
    public func sign(_ token: ServerAPIToken) throws(SigningError) -> String {
        try signCompact(json: token.json).compactJWS
    }

    /// Returns the token as a compact JWS (ES256) for the `Authorization: Bearer` header.
    public func sign(_ token: AppStoreConnectToken) throws(SigningError) -> String {
        try signCompact(json: token.json).compactJWS
    }

    private func signCompact(json: [UInt8]) throws(SigningError) -> (compactJWS: String, digest: [UInt8]) {
        let text = signingInput(of: json)
        let signature = try sign(text)
        return (try SigningKey.compactJWS(text, signature), signature.digest)
    }
}
