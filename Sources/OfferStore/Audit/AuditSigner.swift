/// An audit key with which a store seals.
///
/// The store calls `sign`, and never holds the private key itself.
public struct AuditSigner: Sendable {
    /// The public key's 32 bytes.
    public let publicKey: [UInt8]
    /// Signs a message with Ed25519.
    public let sign: @Sendable (_ message: [UInt8]) throws -> [UInt8]
    /// The keys whose seals this key may follow.
    ///
    /// If the latest seal is by another key, nothing is sealed.
    public let trust: AuditTrust
    /// The whole text of a seal that this key may follow although the key that signed it is lost; nil for none.
    package private(set) var vouchedSeal: String?

    /// Stores the given values without checking them.
    public init(publicKey: [UInt8], trust: AuditTrust, sign: @escaping @Sendable (_ message: [UInt8]) throws -> [UInt8]) {
        self.publicKey = publicKey
        self.trust = trust
        self.sign = sign
    }

    /// Returns the same signer, which may also follow this seal, because an operator says that the key that signed it is lost.
    package func vouching(for seal: String) -> AuditSigner {
        var signer = self
        signer.vouchedSeal = seal
        return signer
    }
}
