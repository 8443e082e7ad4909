import WireText

extension SigningKey {
    /// Why the key's hardware module cannot sign now; nil if it can sign, and always nil for a key in memory.
    public var outage: SigningError? { remote?.outage }

    /// Whether the key is in a hardware module, which signs asynchronously. A key in memory signs at once.
    public var signsLater: Bool { remote != nil }

    /// Signs SHA-256 of each message, in order, with a key in memory or in a hardware module.
    ///
    /// If the key cannot sign now, it throws at once and does not call `completion`.
    ///
    /// - Parameter completion: is called once. For a key in memory, that happens before this function returns. For a key in a
    ///   hardware module, it happens later, on another thread.
    public func sign(
        _ messages: [[UInt8]],
        completion: @escaping @Sendable (Result<[Signature], SigningError>) -> Void
    ) throws(SigningError) {
        if let remote { return try remote.sign(messages, completion: completion) }
        var signatures: [Signature] = []
        for message in messages { signatures.append(try sign(message)) }
        completion(.success(signatures))
    }

    /// Returns the token as a compact JWS (ES256), signed by a key in memory or in a hardware module.
    public func signed(_ token: ServerAPIToken) async throws -> String {
        guard signsLater else { return try sign(token) }
        let input = signingInput(of: token.json)
        let signatures = try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<[Signature], any Error>) in
            do {
                try sign([input]) { continuation.resume(with: $0.mapError { $0 }) }
            } catch {
                continuation.resume(throwing: error)
            }
        }
        return try SigningKey.compactJWS(input, signatures[0])
    }

    /// Returns the signing input of a JWS with these claims (RFC 7515): the header and the claims in base64url, with a full stop
    /// between them.
    public func signingInput(of claims: JWSClaims) -> [UInt8] { signingInput(of: claims.json) }

    func signingInput(of json: [UInt8]) -> [UInt8] {
        var text = encodedHeader
        text.append(UInt8(ascii: "."))
        Base64.appendURLSafe(json, to: &text)
        return text
    }

    /// Returns the compact JWS that consists of a signing input and its signature.
    public static func compactJWS(_ signingInput: consuming [UInt8], _ signature: Signature) throws(SigningError) -> String {
        var text = signingInput
        text.append(UInt8(ascii: "."))
        Base64.appendURLSafe(try signature.raw, to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}
