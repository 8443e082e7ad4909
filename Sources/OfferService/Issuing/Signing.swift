package import OfferSigning

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

/// The state of an operation that signs.
package enum Signing: Sendable {
    package typealias Completion = @Sendable (Result<[SigningOutput], any Error>) -> Void

    case done([SigningOutput])
    /// Begins the operation, which calls back once, on any thread.
    case pending(@Sendable (@escaping Completion) -> Void)
}
