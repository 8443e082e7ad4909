package import OfferSigning

/// An app's key, wherever it is: in memory it signs at once, in a hardware module it answers later.
package protocol OfferKey: Sendable {
    /// Apple's key id.
    var id: String { get }

    /// Signs all that a request wants signed, in order: one output an input.
    func sign(_ inputs: [SigningInput]) throws -> Signing
}

/// One text to be signed.
package enum SigningInput: Sendable {
    case payload(OfferPayload)
    case claims(JWSClaims)
}

/// One signature, and SHA-256 of what was signed.
package struct SigningOutput: Sendable {
    package let token: SignedOffer.Token
    package let digest: [UInt8]
}

/// What a key has come to.
package enum Signing: Sendable {
    package typealias Completion = @Sendable (Result<[SigningOutput], any Error>) -> Void

    case done([SigningOutput])
    /// Begins, and calls back once, on any thread.
    case pending(@Sendable (@escaping Completion) -> Void)
}

/// Which key signs for an app, and whether one still may.
package protocol OfferKeys: Sendable {
    /// The active key of an app; nil if there is none.
    func activeKey(for bundleID: String) -> (any OfferKey)?

    /// Whether a signature that a key has just made may leave.
    func isGood(_ keyID: String, for bundleID: String) -> Bool
}

extension SigningKey: OfferKey {
    /// At once.
    package func sign(_ inputs: [SigningInput]) throws -> Signing {
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
}

extension KeyRingHolder: OfferKeys {
    package func activeKey(for bundleID: String) -> (any OfferKey)? { current.active(for: bundleID) }

    package func isGood(_ keyID: String, for bundleID: String) -> Bool {
        let ring = current
        return !ring.revokedIDs.contains(keyID) && ring.keys(for: bundleID).contains { $0.id == keyID }
    }
}
