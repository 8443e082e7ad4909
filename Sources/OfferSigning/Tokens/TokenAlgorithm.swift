/// A signature algorithm of tokens. Each kind of key has only one algorithm, so that no key is used in two ways (RFC 8725, 3.1).
public enum TokenAlgorithm: String, CaseIterable, Sendable {
    /// ECDSA on P-256 with SHA-256.
    case es256 = "ES256"
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rs256 = "RS256"
    /// Ed25519 (RFC 8037).
    case edDSA = "EdDSA"

    /// Reads the name of an algorithm in a header or a key; nil for an unknown name. `Ed25519` is accepted, too, because RFC 9864
    /// uses this name for EdDSA on this curve.
    init?(named name: String) {
        guard let algorithm = TokenAlgorithm(rawValue: name == "Ed25519" ? "EdDSA" : name) else { return nil }
        self = algorithm
    }
}
