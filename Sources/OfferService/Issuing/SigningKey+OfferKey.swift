package import OfferSigning

extension SigningKey: OfferKey {
    /// Signs at once, or later if the key is in a hardware module.
    package func sign(_ inputs: [SigningInput]) throws -> Signing {
        if signsLater { return later(inputs) }
        var outputs: [SigningOutput] = []
        outputs.reserveCapacity(inputs.count)
        for input in inputs {
            switch input {
            case .payload(let payload):
                let signature = try sign(payload)
                outputs.append(SigningOutput(token: .payload(signature.der), digest: signature.digest))
            case .claims(let claims):
                let signed = try sign(claims)
                outputs.append(SigningOutput(token: .jws(signed.compactJWS), digest: signed.digest))
            }
        }
        return .done(outputs)
    }

    private func later(_ inputs: [SigningInput]) -> Signing {
        let messages = inputs.map { input in
            switch input {
            case .payload(let payload): payload.bytes
            case .claims(let claims): signingInput(of: claims)
            }
        }
        return .pending { [self] completion in
            do {
                try sign(messages) { result in
                    completion(Result { try Self.outputs(inputs, messages, try result.get()) })
                }
            } catch {
                completion(.failure(error))
            }
        }
    }

    private static func outputs(
        _ inputs: [SigningInput],
        _ messages: [[UInt8]],
        _ signatures: [Signature]
    ) throws -> [SigningOutput] {
        try zip(inputs, zip(messages, signatures)).map { input, signed in
            let token: SignedOffer.Token =
                switch input {
                case .payload: .payload(signed.1.der)
                case .claims: .jws(try compactJWS(signed.0, signed.1))
                }
            return SigningOutput(token: token, digest: signed.1.digest)
        }
    }
}

/// A text that a key is to sign.
package enum SigningInput: Sendable {
    case payload(OfferPayload)
    case claims(JWSClaims)
}

/// One signature, and SHA-256 of the text that was signed.
package struct SigningOutput: Sendable {
    package let token: SignedOffer.Token
    package let digest: [UInt8]
}

/// The signatures of a key, or the way to get them if they come later.
package enum Signing: Sendable {
    package typealias Completion = @Sendable (Result<[SigningOutput], any Error>) -> Void

    case done([SigningOutput])
    /// Begins to sign. The completion is called once, on any thread.
    case pending(@Sendable (@escaping Completion) -> Void)
}
