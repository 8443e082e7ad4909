/// The cryptographic functions of the audit log.
///
/// The caller provides them, because the stores import no cryptographic library.
public struct AuditFunctions: Sendable {
    /// Writes the 32-byte digest of a message.
    public typealias Digest = @Sendable (_ message: UnsafeRawBufferPointer, _ digest: UnsafeMutableRawPointer) -> Void

    /// SHA-256.
    public let sha256: Digest
    /// Makes the function that computes HMAC-SHA256 with this secret.
    public let hmac: @Sendable (_ secret: [UInt8]) throws -> Digest
    /// Random bytes of cryptographic quality.
    public let randomBytes: @Sendable (Int) throws -> [UInt8]

    /// Stores the given functions.
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
    package func link(of bytes: [UInt8]) -> AuditLink { bytes.withUnsafeBytes { bytes in AuditLink { sha256(bytes, $0) } } }
}

extension AuditFunctions {
    /// SHA-256 of some bytes, in the form in which events contain it.
    func text(of bytes: [UInt8]) -> String { "sha256:" + Hexadecimal.encode(link(of: bytes).bytes) }

    /// The first half of the SHA-256 over a row, in the form in which events contain it.
    func text(ofRow values: [String?]) -> String {
        let digest = link(of: Self.bytes(ofRow: values)).bytes
        return "row sha256:\(Hexadecimal.encode(Array(digest.prefix(digest.count / 2))))…"
    }

    /// The values of a row, each after its length, so that different rows have different bytes.
    static func bytes(ofRow values: [String?]) -> [UInt8] {
        Array(values.map { value in value.map { "\($0.utf8.count):\($0)" } ?? "-" }.joined().utf8)
    }
}
