import COpenSSLShim

/// An Ed25519 private key. The service uses such keys to seal the audit log and to sign events.
public final class Ed25519Key: Sendable {
    /// Length of a public key in bytes.
    static let publicLength = Int(OSS_ED25519_KEY_SIZE)
    static let signatureLength = Int(OSS_ED25519_SIGNATURE_SIZE)

    /// The public key, 32 bytes.
    public let publicKey: [UInt8]
    // This is safe, because an EVP_PKEY does not change after it is read, and its reference count is atomic.
    nonisolated(unsafe) private let pointer: OpaquePointer

    /// Generates a new key.
    public convenience init() throws(SigningError) { try self.init(oss_ed25519_generate()) }

    /// Reads an unencrypted PKCS#8 PEM. The caller wipes the text afterwards.
    public convenience init(pem: UnsafeRawBufferPointer) throws(SigningError) {
        let bytes = pem.bindMemory(to: UInt8.self)
        try self.init(oss_ed25519_read_private(bytes.baseAddress, bytes.count))
    }

    /// Creates a key whose seed (RFC 8032) is the first 32 bytes of `seed`. The caller wipes the bytes afterwards.
    convenience init(seed: [UInt8]) throws(SigningError) {
        guard seed.count >= Self.publicLength else { throw SigningError(.damaged, "an Ed25519 key has fewer than 32 bytes") }
        try self.init(oss_ed25519_from_seed(seed))
    }

    private init(_ pointer: OpaquePointer?) throws(SigningError) {
        guard let pointer else { throw SigningError(.otherAlgorithm, "no Ed25519 private key in PKCS#8 PEM") }
        self.pointer = pointer
        publicKey = [UInt8](unsafeUninitializedCapacity: Ed25519Key.publicLength) { out, used in
            used = oss_ed25519_public(pointer, out.baseAddress) == 1 ? Ed25519Key.publicLength : 0
        }
        guard publicKey.count == Ed25519Key.publicLength else {
            throw SigningError(.cryptoFailure, "OpenSSL does not give the public half of an Ed25519 key")
        }
    }

    deinit { oss_ed25519_free(pointer) }

    /// Signs a message. Returns the signature, which has 64 bytes.
    public func sign(_ message: [UInt8]) throws(SigningError) -> [UInt8] {
        let signature = [UInt8](unsafeUninitializedCapacity: Ed25519Key.signatureLength) { out, used in
            used = oss_ed25519_sign(pointer, message, message.count, out.baseAddress) == 1 ? Ed25519Key.signatureLength : 0
        }
        guard !signature.isEmpty else { throw SigningError(.cryptoFailure, "OpenSSL could not sign with an Ed25519 key") }
        return signature
    }

    /// Whether a signature of a message was made with the private half of a public key.
    public static func isValid(signature: [UInt8], of message: [UInt8], by publicKey: [UInt8]) -> Bool {
        signature.count == signatureLength && publicKey.count == publicLength
            && oss_ed25519_verify(publicKey, message, message.count, signature) == 1
    }

    /// Reads the public key in a PEM. Returns nil if the PEM contains anything else.
    public static func publicKey(pem: [UInt8]) -> [UInt8]? {
        var read = false
        let key = [UInt8](unsafeUninitializedCapacity: publicLength) { out, used in
            read = oss_ed25519_read_public(pem, pem.count, out.baseAddress) == 1
            used = read ? publicLength : 0
        }
        return read ? key : nil
    }

    /// Calls `body` with the private key as a PKCS#8 PEM, and wipes it afterwards.
    func withPEM<Value, Failure: Error>(_ body: (UnsafeRawBufferPointer) throws(Failure) -> Value) throws(Failure) -> Value {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 512, alignment: 1)
        defer {
            oss_cleanse(buffer.baseAddress, buffer.count)
            buffer.deallocate()
        }
        let length = oss_ed25519_private_pem(pointer, buffer.bindMemory(to: UInt8.self).baseAddress, buffer.count)
        return try body(UnsafeRawBufferPointer(rebasing: buffer[..<length]))
    }
}
