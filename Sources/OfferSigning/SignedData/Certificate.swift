import COpenSSLShim

/// An X.509 certificate; owns one `oss_certificate`.
final class Certificate: Sendable {
    /// The most bytes that a certificate may have.
    static let capacity = Int(OSS_CERTIFICATE_CAPACITY)

    /// The certificate as it came.
    let der: [UInt8]
    // Unsafe: the certificate is only read once it is parsed, and its reference count is atomic.
    nonisolated(unsafe) let pointer: OpaquePointer

    /// Reads exactly one certificate; nil if the bytes are anything else.
    init?(der: [UInt8]) {
        guard let pointer = oss_certificate_read(der, der.count) else { return nil }
        self.der = der
        self.pointer = pointer
    }

    deinit { oss_certificate_free(pointer) }

    /// SHA-256 of the DER.
    var fingerprint: [UInt8] { Crypto.sha256(der) }

    /// When it is valid, seconds since 1970.
    var validity: ClosedRange<Int64>? { ClosedRange(oss_certificate_validity(pointer)) }

    /// Whether there is an extension of this dotted object identifier.
    func hasExtension(_ identifier: String) -> Bool { oss_certificate_has_extension(pointer, identifier) == 1 }

    /// Whether a certificate that issues others may have its key.
    var hasSupportedKey: Bool { oss_certificate_key_kind(pointer) != OSS_CERTIFICATE_KEY_OTHER }

    /// The public key; nil if it is not on P-256.
    func publicKey() -> KeyHandle? { oss_certificate_public_key(pointer).map(KeyHandle.init) }
}
