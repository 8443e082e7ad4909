import COpenSSLShim

/// An ECDSA P-256 signature and what it covers.
public struct Signature: Sendable {
    /// ASN.1 DER, 68 to 72 bytes as a rule.
    public let der: [UInt8]
    /// SHA-256 of the signed bytes.
    public let digest: [UInt8]

    /// r‖s, 64 bytes, as JWS wants it.
    public var raw: [UInt8] {
        get throws(SigningError) {
            guard let raw = Signature.raw(fromDER: der) else {
                throw SigningError(.cryptoFailure, "the signature is not a DER ECDSA-Sig-Value")
            }
            return raw
        }
    }

    /// DER → r‖s, short numbers padded; nil if the bytes are not exactly one DER signature.
    public static func raw(fromDER der: [UInt8]) -> [UInt8]? {
        var converted = false
        let raw = [UInt8](unsafeUninitializedCapacity: Int(OSS_RAW_SIGNATURE_SIZE)) { out, used in
            converted = oss_signature_der_to_raw(der, der.count, out.baseAddress) == 1
            used = converted ? Int(OSS_RAW_SIGNATURE_SIZE) : 0
        }
        return converted ? raw : nil
    }

    /// r‖s → DER; nil unless there are 64 bytes.
    public static func der(fromRaw raw: [UInt8]) -> [UInt8]? {
        guard raw.count == Int(OSS_RAW_SIGNATURE_SIZE) else { return nil }
        let der = [UInt8](unsafeUninitializedCapacity: Int(OSS_DER_SIGNATURE_CAPACITY)) { out, used in
            used = oss_signature_raw_to_der(raw, out.baseAddress)
        }
        return der.isEmpty ? nil : der
    }
}
