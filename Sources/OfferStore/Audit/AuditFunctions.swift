/// The cryptographic functions of the audit log. Stores have none of their own.
public struct AuditFunctions: Sendable {
    /// Writes the 32-byte digest of a message.
    public typealias Digest = @Sendable (_ message: UnsafeRawBufferPointer, _ digest: UnsafeMutableRawPointer) -> Void

    /// SHA-256.
    public let sha256: Digest
    /// Returns HMAC-SHA256 under a secret.
    public let hmac: @Sendable (_ secret: [UInt8]) throws -> Digest
    /// Random bytes of cryptographic quality.
    public let randomBytes: @Sendable (Int) throws -> [UInt8]

    /// Takes the functions as they are.
    public init(
        sha256: @escaping Digest,
        hmac: @escaping @Sendable (_ secret: [UInt8]) throws -> Digest,
        randomBytes: @escaping @Sendable (Int) throws -> [UInt8]
    ) {
        self.sha256 = sha256
        self.hmac = hmac
        self.randomBytes = randomBytes
    }

    /// SHA-256 of some bytes.
    func link(of bytes: [UInt8]) -> AuditLink { bytes.withUnsafeBytes { bytes in AuditLink { sha256(bytes, $0) } } }
}
