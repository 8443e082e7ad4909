extension SigningKey {
    /// A compact JWS (ES256) over the claims, and SHA-256 of its signing input.
    public func sign(_ claims: JWSClaims) throws(SigningError) -> (compactJWS: String, digest: [UInt8]) {
        var text = encodedHeader
        text.append(UInt8(ascii: "."))
        Base64.appendURLSafe(claims.json, to: &text)
        let signature = try sign(text)
        text.append(UInt8(ascii: "."))
        Base64.appendURLSafe(try signature.raw, to: &text)
        return (String(decoding: text, as: UTF8.self), signature.digest)
    }
}
