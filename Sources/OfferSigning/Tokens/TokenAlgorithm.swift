/// A signature algorithm of tokens. Each belongs to one kind of key, so that no key is used in two ways (RFC 8725, 3.1).
public enum TokenAlgorithm: String, CaseIterable, Sendable {
    /// ECDSA on P-256 with SHA-256.
    case es256 = "ES256"
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rs256 = "RS256"
    /// Ed25519 (RFC 8037).
    case edDSA = "EdDSA"

    /// Takes the name in a header or key; nil for an unknown one. RFC 9864 calls EdDSA on this curve `Ed25519`.
    init?(named name: String) {
        guard let algorithm = TokenAlgorithm(rawValue: name == "Ed25519" ? "EdDSA" : name) else { return nil }
        self = algorithm
    }
}
