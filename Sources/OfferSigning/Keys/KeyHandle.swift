import COpenSSLShim

/// Owns an `oss_key` of the OpenSSL shim, and frees it at its end.
final class KeyHandle: Sendable {
    // This is safe, because an EVP_PKEY does not change after it is read, and its reference count is atomic.
    nonisolated(unsafe) let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    /// Reads a public key from its SubjectPublicKeyInfo. Returns nil if it is not a point on P-256.
    convenience init?(publicDER: [UInt8]) {
        guard let pointer = oss_key_read_public(publicDER, publicDER.count) else { return nil }
        self.init(pointer)
    }

    deinit { oss_key_free(pointer) }

    /// The public half as a SubjectPublicKeyInfo in DER.
    var publicDER: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 128) { out, used in
            used = oss_key_public_der(pointer, out.baseAddress, out.count)
        }
    }

    func isValid(signature: [UInt8], of message: [UInt8]) -> Bool {
        message.withUnsafeBufferPointer { isValid(signature: signature, of: $0) }
    }

    func isValid(signature: [UInt8], of message: UnsafeBufferPointer<UInt8>) -> Bool {
        oss_key_verify(pointer, message.baseAddress, message.count, signature, signature.count) == 1
    }
}
