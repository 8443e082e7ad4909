import COpenSSLShim

/// An ECDSA P-256 signature, with the digest that was signed.
public struct Signature: Sendable {
    /// The signature in ASN.1 DER, usually 68 to 72 bytes.
    public let der: [UInt8]
    /// SHA-256 of the signed bytes.
    public let digest: [UInt8]

    /// The signature as r‖s, 64 bytes, for a JWS.
    public var raw: [UInt8] {
        get throws(SigningError) {
            guard let raw = Signature.raw(fromDER: der) else {
                throw SigningError(.cryptoFailure, "the signature is not a DER ECDSA-Sig-Value")
            }
            return raw
        }
    }

    /// Converts a signature from DER to r‖s, each number padded to 32 bytes. Returns nil unless the bytes are exactly one
    /// signature.
    public static func raw(fromDER der: [UInt8]) -> [UInt8]? {
        var converted = false
        let raw = [UInt8](unsafeUninitializedCapacity: Int(OSS_RAW_SIGNATURE_SIZE)) { out, used in
            converted = oss_signature_der_to_raw(der, der.count, out.baseAddress) == 1
            used = converted ? Int(OSS_RAW_SIGNATURE_SIZE) : 0
        }
        return converted ? raw : nil
    }

    /// Converts a signature from r‖s to DER. Returns nil unless `raw` has 64 bytes.
    public static func der(fromRaw raw: [UInt8]) -> [UInt8]? {
        guard raw.count == Int(OSS_RAW_SIGNATURE_SIZE) else { return nil }
        let der = [UInt8](unsafeUninitializedCapacity: Int(OSS_DER_SIGNATURE_CAPACITY)) { out, used in
            used = oss_signature_raw_to_der(raw, out.baseAddress)
        }
        return der.isEmpty ? nil : der
    }
}
