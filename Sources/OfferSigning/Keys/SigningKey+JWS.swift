import WireText

extension SigningKey {
    /// A compact JWS (ES256) over the claims, and SHA-256 of its signing input.
    public func sign(_ claims: JWSClaims) throws(SigningError) -> (compactJWS: String, digest: [UInt8]) {
        try signCompact(json: claims.json)
    }

    /// The token as a compact JWS (ES256), as the `Authorization: Bearer` header carries it.
    public func sign(_ token: ServerAPIToken) throws(SigningError) -> String {
        try signCompact(json: token.json).compactJWS
    }

    private func signCompact(json: [UInt8]) throws(SigningError) -> (compactJWS: String, digest: [UInt8]) {
        var text = encodedHeader
        text.append(UInt8(ascii: "."))
        Base64.appendURLSafe(json, to: &text)
        let signature = try sign(text)
        text.append(UInt8(ascii: "."))
        Base64.appendURLSafe(try signature.raw, to: &text)
        return (String(decoding: text, as: UTF8.self), signature.digest)
    }
}
