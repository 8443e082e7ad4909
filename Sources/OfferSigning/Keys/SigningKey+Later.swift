import WireText

extension SigningKey {
    /// Why it signs nothing now, though it is loaded: its hardware module is away. Nil while all is well, and for a key in memory.
    public var outage: SigningError? { remote?.outage }

    /// Whether it answers later, from a hardware module.
    public var signsLater: Bool { remote != nil }

    /// Signs SHA-256 of each message in its hardware module, in order.
    ///
    /// Throws at once where it is known that nothing can be signed.
    ///
    /// - Parameter completion: is called once, on a thread of the module's pool; a key in memory calls it before this returns.
    public func sign(
        _ messages: [[UInt8]],
        completion: @escaping @Sendable (Result<[Signature], SigningError>) -> Void
    ) throws(SigningError) {
        if let remote { return try remote.sign(messages, completion: completion) }
        var signatures: [Signature] = []
        for message in messages { signatures.append(try sign(message)) }
        completion(.success(signatures))
    }

    /// The token as a compact JWS (ES256), wherever the key is.
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

    /// What a JWS over the claims signs: header and claims.
    public func signingInput(of claims: JWSClaims) -> [UInt8] { signingInput(of: claims.json) }

    func signingInput(of json: [UInt8]) -> [UInt8] {
        var text = encodedHeader
        text.append(UInt8(ascii: "."))
        Base64.appendURLSafe(json, to: &text)
        return text
    }

    /// The JWS that a signature makes of what it signs.
    public static func compactJWS(_ signingInput: consuming [UInt8], _ signature: Signature) throws(SigningError) -> String {
        var text = signingInput
        text.append(UInt8(ascii: "."))
        Base64.appendURLSafe(try signature.raw, to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}
