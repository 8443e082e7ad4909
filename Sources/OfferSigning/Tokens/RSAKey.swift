import COpenSSLShim

/// An RSA public key. Owns an `oss_rsa`.
final class RSAKey: Sendable {
    // Unsafe: an EVP_PKEY does not change after it is made, and its reference count is atomic.
    nonisolated(unsafe) private let pointer: OpaquePointer

    /// Takes two big-endian numbers. Returns nil if they are not a sound key.
    init?(modulus: [UInt8], exponent: [UInt8]) {
        guard let pointer = oss_rsa_read_public(modulus, modulus.count, exponent, exponent.count) else { return nil }
        self.pointer = pointer
    }

    deinit { oss_rsa_free(pointer) }

    /// Whether the signature is an RSASSA-PKCS1-v1_5 signature of SHA-256.
    func isValid(signature: [UInt8], of message: [UInt8]) -> Bool {
        oss_rsa_verify(pointer, message, message.count, signature, signature.count) == 1
    }
}
