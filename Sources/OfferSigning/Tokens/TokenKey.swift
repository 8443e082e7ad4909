import COpenSSLShim
package import WireText

/// A public key that verifies tokens. It is read from a JSON Web Key (RFC 7517, 7518, 8037).
package struct TokenKey: Sendable {
    /// Why a JSON Web Key cannot be used.
    package struct Fault: Error, Equatable {
        /// The rest of a sentence that begins with the name of the key, for example `is not an object`.
        package let reason: String
    }

    private enum Material: Sendable {
        case p256(KeyHandle)
        case rsa(RSAKey)
        case ed25519([UInt8])
    }

    /// The permitted sizes of an RSA key, in bits. Smaller keys are weak, and verifying with larger ones takes too long.
    private static let modulusBits = 2048...8192
    /// The permitted sizes of the exponent, in bits. If the modulus is long, OpenSSL refuses an exponent of more than 64 bits.
    private static let exponentBits = 2...64
    /// The bytes that stand before the coordinates in the SubjectPublicKeyInfo of a P-256 key (RFC 5480).
    private static let p256Prefix: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D,
        0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04,
    ]

    /// The key's id (`kid`); nil if it has none.
    package let id: String?
    /// The only algorithm with which the key is used.
    package let algorithm: TokenAlgorithm
    private let material: Material

    /// Reads a key. Throws if it is malformed, too weak, or not meant for signatures.
    package init(_ jwk: JSONValue) throws(Fault) {
        guard case .object = jwk else { throw Fault(reason: "is not an object") }
        guard jwk.member("d") == nil else { throw Fault(reason: "holds a private key; publish the public half only") }
        id = try TokenKey.text("kid", of: jwk)
        switch try TokenKey.text("kty", of: jwk) {
        case "EC": (algorithm, material) = (.es256, .p256(try TokenKey.p256(jwk)))
        case "RSA": (algorithm, material) = (.rs256, .rsa(try TokenKey.rsa(jwk)))
        case "OKP": (algorithm, material) = (.edDSA, .ed25519(try TokenKey.ed25519(jwk)))
        default: throw Fault(reason: "is of another kind (kty) than EC, RSA and OKP")
        }
        try checkPurpose(of: jwk)
    }

    /// Whether a signature was made with this key. The signature has the form that it has in a JWS (RFC 7518).
    func isValid(signature: [UInt8], of message: [UInt8]) -> Bool {
        switch material {
        case .p256(let key): Signature.der(fromRaw: signature).map { key.isValid(signature: $0, of: message) } ?? false
        case .rsa(let key): key.isValid(signature: signature, of: message)
        case .ed25519(let key): Ed25519Key.isValid(signature: signature, of: message, by: key)
        }
    }

    private func checkPurpose(of jwk: JSONValue) throws(Fault) {
        if let use = try TokenKey.text("use", of: jwk), use != "sig" { throw Fault(reason: "is not for signatures (use)") }
        if let operations = jwk.member("key_ops") {
            guard case .array(let operations) = operations, operations.contains(.string("verify")) else {
                throw Fault(reason: "is not for verifying (key_ops)")
            }
        }
        if let name = try TokenKey.text("alg", of: jwk), TokenAlgorithm(named: name) != algorithm {
            throw Fault(reason: "is for another algorithm (alg) than \(algorithm.rawValue)")
        }
    }

    private static func p256(_ jwk: JSONValue) throws(Fault) -> KeyHandle {
        guard try text("crv", of: jwk) == "P-256" else { throw Fault(reason: "is on another curve (crv) than P-256") }
        let point = try bytes("x", of: jwk) + bytes("y", of: jwk)
        guard point.count == 64, let key = KeyHandle(publicDER: p256Prefix + point) else {
            throw Fault(reason: "is not a point on P-256 (x, y)")
        }
        return key
    }

    private static func rsa(_ jwk: JSONValue) throws(Fault) -> RSAKey {
        let (modulus, exponent) = (try bytes("n", of: jwk), try bytes("e", of: jwk))
        let bits = bitCount(modulus)
        guard modulusBits.contains(bits) else {
            throw Fault(
                reason: "has \(bits) bits (n); RSA keys of \(modulusBits.lowerBound) to \(modulusBits.upperBound) are accepted")
        }
        guard exponentBits.contains(bitCount(exponent)), let key = RSAKey(modulus: modulus, exponent: exponent) else {
            throw Fault(reason: "is not a valid RSA key (n, e)")
        }
        return key
    }

    private static func ed25519(_ jwk: JSONValue) throws(Fault) -> [UInt8] {
        guard try text("crv", of: jwk) == "Ed25519" else { throw Fault(reason: "is on another curve (crv) than Ed25519") }
        let key = try bytes("x", of: jwk)
        guard key.count == Ed25519Key.publicLength else { throw Fault(reason: "is not a point of Ed25519 (x)") }
        return key
    }

    private static func text(_ name: String, of jwk: JSONValue) throws(Fault) -> String? {
        switch jwk.member(name) {
        case nil: nil
        case .string(let text): text
        default: throw Fault(reason: "has a \(name) that is not a text")
        }
    }

    private static func bytes(_ name: String, of jwk: JSONValue) throws(Fault) -> [UInt8] {
        guard let text = try text(name, of: jwk), let bytes = Base64.decodeURLSafe(text.utf8) else {
            throw Fault(reason: "has no \(name) in base64url")
        }
        return bytes
    }

    private static func bitCount(_ number: [UInt8]) -> Int {
        guard let first = number.firstIndex(where: { $0 != 0 }) else { return 0 }
        return 8 * (number.count - first) - number[first].leadingZeroBitCount
    }
}

/// An RSA public key. It owns an `oss_rsa` of the OpenSSL shim.
final class RSAKey: Sendable {
    // This is safe, because an EVP_PKEY does not change after it is made, and its reference count is atomic.
    nonisolated(unsafe) private let pointer: OpaquePointer

    /// Creates a key from its modulus and exponent, both big-endian. Returns nil if they are not a valid key.
    init?(modulus: [UInt8], exponent: [UInt8]) {
        guard let pointer = oss_rsa_read_public(modulus, modulus.count, exponent, exponent.count) else { return nil }
        self.pointer = pointer
    }

    deinit { oss_rsa_free(pointer) }

    /// Whether an RSASSA-PKCS1-v1_5 signature of a message with SHA-256 was made with this key.
    func isValid(signature: [UInt8], of message: [UInt8]) -> Bool {
        oss_rsa_verify(pointer, message, message.count, signature, signature.count) == 1
    }
}
