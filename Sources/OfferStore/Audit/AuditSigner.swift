/// An audit key for as long as a store seals with it. The store never holds the private key.
public struct AuditSigner: Sendable {
    /// The public key's 32 bytes.
    public let publicKey: [UInt8]
    /// Signs a message with Ed25519.
    public let sign: @Sendable (_ message: [UInt8]) throws -> [UInt8]
    /// The keys whose seals it may follow.
    public let trust: AuditTrust
    /// The whole text of a seal that an operator accepts, whichever key signed it.
    package private(set) var vouchedSeal: String?

    /// Takes the values as they are.
    public init(publicKey: [UInt8], trust: AuditTrust, sign: @escaping @Sendable (_ message: [UInt8]) throws -> [UInt8]) {
        self.publicKey = publicKey
        self.trust = trust
        self.sign = sign
    }

    /// Returns the same key, which may also follow the given seal, signed with a lost key.
    package func vouching(for seal: String) -> AuditSigner {
        var signer = self
        signer.vouchedSeal = seal
        return signer
    }
}
