import WireText

/// The claims of a token that say whose it is, and that decide whether it is accepted (RFC 7519, 4.1).
package struct TokenClaims: Sendable {
    // The accepted values of times, in seconds since 1970. The last is the end of the year 9999.
    private static let times = 0.0...253_402_300_799

    /// The claim `iss`.
    package let issuer: String
    /// The claim `sub`, which names the user.
    package let subject: String
    /// The claim `aud`, which may be one text or a list.
    package let audiences: [String]
    /// The claim `exp`, converted to ms since 1970.
    package let expiresAt: Int64
    /// The claim `nbf`, converted to ms since 1970; nil if the token has none.
    package let notBefore: Int64?
    private let payload: JSONValue

    /// Reads the claims. Throws if `iss`, `sub`, `aud` or `exp` is missing.
    package init(_ token: PresentedToken) throws(TokenError) {
        payload = token.payload
        issuer = try Self.text("iss", of: payload)
        subject = try Self.text("sub", of: payload)
        audiences = try Self.audiences(payload)
        guard let expiresAt = try Self.time("exp", of: payload) else {
            throw TokenError(.unusableClaim, "the token has no exp: a token that never ends is refused")
        }
        self.expiresAt = expiresAt
        notBefore = try Self.time("nbf", of: payload)
    }

    /// Returns only the issuer, because it determines which keys may have signed the token.
    package static func issuer(of token: PresentedToken) throws(TokenError) -> String { try text("iss", of: token.payload) }

    /// Returns the text of any claim; nil if the claim is missing or not a text.
    package func text(_ name: String) -> String? {
        if case .string(let text)? = payload.member(name) { text } else { nil }
    }

    /// Throws if the token has expired or is not valid yet.
    ///
    /// - Parameters:
    ///   - now: the time in ms since 1970.
    ///   - leeway: by how many ms the issuer's clock may differ from this machine's.
    package func checkTime(at now: Int64, leeway: Int64) throws(TokenError) {
        guard now < expiresAt + leeway else {
            throw TokenError(.expired, "the token has expired (exp); get a new one where this one came from")
        }
        if let notBefore, now < notBefore - leeway {
            throw TokenError(
                .notYetValid, "the token is not valid yet (nbf); look at the clocks of the issuer and of this machine")
        }
    }

    private static func text(_ name: String, of payload: JSONValue) throws(TokenError) -> String {
        guard case .string(let text)? = payload.member(name), !text.isEmpty else {
            throw TokenError(.unusableClaim, "the token has no \(name) that is a text")
        }
        return text
    }

    private static func audiences(_ payload: JSONValue) throws(TokenError) -> [String] {
        var audiences: [String] = []
        let value = payload.member("aud")
        let elements = if case .array(let elements)? = value { elements } else { value.map { [$0] } ?? [] }
        for element in elements {
            guard case .string(let audience) = element else {
                throw TokenError(.unusableClaim, "the token has no aud that is a text or a list of texts")
            }
            audiences.append(audience)
        }
        guard !audiences.isEmpty else { throw TokenError(.unusableClaim, "the token has no aud: it may be for any service") }
        return audiences
    }

    private static func time(_ name: String, of payload: JSONValue) throws(TokenError) -> Int64? {
        switch payload.member(name) {
        case nil: return nil
        case .number(let text):
            guard let seconds = Double(text), times.contains(seconds) else { break }
            return Int64(seconds * 1000)
        default: break
        }
        throw TokenError(.unusableClaim, "the token's \(name) is not a number of seconds since 1970")
    }
}
