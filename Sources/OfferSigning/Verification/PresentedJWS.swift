import WireText

/// A compact JWS where the signature of a payload was expected. Nothing is verified.
package struct PresentedJWS {
    /// The claim `nonce`; nil without one.
    package let nonce: String?

    /// Nil unless the text has three parts of base64url, of which the first two are JSON objects.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, Self.object(parts[0]) != nil, let claims = Self.object(parts[1]) else { return nil }
        if case .string(let nonce)? = claims.member("nonce") { self.nonce = nonce } else { nonce = nil }
    }

    private static func object(_ part: Substring.UTF8View) -> JSONValue? {
        guard let bytes = Base64.decodeURLSafe(part), let value = try? JSONValue(parsing: bytes), case .object = value else {
            return nil
        }
        return value
    }
}
