import WireText

/// The claims that decide whether a token is accepted, and its user (RFC 7519, 4.1).
package struct TokenClaims: Sendable {
    // The accepted times, in seconds since 1970: up to the last second of the year 9999.
    private static let times = 0.0...253_402_300_799

    /// The `iss`.
    package let issuer: String
    /// The `sub`.
    package let subject: String
    /// The `aud`, one or several.
    package let audiences: [String]
    /// The `exp`, in ms since 1970.
    package let expiresAt: Int64
    /// The `nbf`, in ms since 1970; nil if the token has none.
    package let notBefore: Int64?
    private let payload: JSONValue

    /// Reads the claims. `iss`, `sub`, `aud` and `exp` are required.
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

    /// Reads only the issuer, which determines the keys for verification.
    package static func issuer(of token: PresentedToken) throws(TokenError) -> String { try text("iss", of: token.payload) }

    /// The text of any other claim; nil if the claim is missing or not a text.
    package func text(_ name: String) -> String? {
        if case .string(let text)? = payload.member(name) { text } else { nil }
    }

    /// Throws if the token has expired or is not valid yet.
    ///
    /// - Parameters:
    ///   - now: ms since 1970.
    ///   - leeway: how far the issuer's clock may differ from this one, ms.
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
