/// An audit key for as long as a store seals with it. The store never has the key itself.
public struct AuditSigner: Sendable {
    /// The public key's 32 bytes.
    public let publicKey: [UInt8]
    /// Ed25519 over a message.
    public let sign: @Sendable (_ message: [UInt8]) throws -> [UInt8]
    /// Whose seals it may follow.
    public let trust: AuditTrust
    /// A seal, whole, that it may follow whoever signed it, because an operator says so.
    package private(set) var vouchedSeal: String?

    /// Takes the values as they are.
    public init(publicKey: [UInt8], trust: AuditTrust, sign: @escaping @Sendable (_ message: [UInt8]) throws -> [UInt8]) {
        self.publicKey = publicKey
        self.trust = trust
        self.sign = sign
    }

    /// The same key, which may also follow a seal by somebody whose key is lost.
    package func vouching(for seal: String) -> AuditSigner {
        var signer = self
        signer.vouchedSeal = seal
        return signer
    }
}
