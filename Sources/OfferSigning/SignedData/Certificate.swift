import COpenSSLShim

/// An X.509 certificate. Owns an `oss_certificate`.
final class Certificate: Sendable {
    /// Maximum length of a certificate in bytes.
    static let capacity = Int(OSS_CERTIFICATE_CAPACITY)

    /// The certificate as received.
    let der: [UInt8]
    // Unsafe: the certificate does not change after parsing, and its reference count is atomic.
    nonisolated(unsafe) let pointer: OpaquePointer

    /// Parses exactly one certificate. Returns nil if the bytes are anything else.
    init?(der: [UInt8]) {
        guard let pointer = oss_certificate_read(der, der.count) else { return nil }
        self.der = der
        self.pointer = pointer
    }

    deinit { oss_certificate_free(pointer) }

    /// SHA-256 of the DER.
    var fingerprint: [UInt8] { Crypto.sha256(der) }

    /// The validity period, seconds since 1970.
    var validity: ClosedRange<Int64>? { ClosedRange(oss_certificate_validity(pointer)) }

    /// Whether the certificate has an extension with this dotted object identifier.
    func hasExtension(_ identifier: String) -> Bool { oss_certificate_has_extension(pointer, identifier) == 1 }

    /// Whether another certificate names this one as its issuer. No signature is checked.
    func isIssuer(of other: Certificate) -> Bool { oss_certificate_issued(pointer, other.pointer) == 1 }

    /// Whether the key is of a kind permitted for issuers.
    var hasSupportedKey: Bool { oss_certificate_key_kind(pointer) != OSS_CERTIFICATE_KEY_OTHER }

    /// The public key; nil if it is not on P-256.
    func publicKey() -> KeyHandle? { oss_certificate_public_key(pointer).map(KeyHandle.init) }
}
