package import OfferSigning

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
