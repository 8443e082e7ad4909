/// How a token may be signed. Each goes with one kind of key, so that no key is ever used in another way than its own (RFC 8725, 3.1).
public enum TokenAlgorithm: String, CaseIterable, Sendable {
    /// ECDSA on P-256 with SHA-256.
    case es256 = "ES256"
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rs256 = "RS256"
    /// Ed25519 (RFC 8037).
    case edDSA = "EdDSA"

    /// As a header or a key names it; nil for any other. RFC 9864 calls EdDSA on this curve `Ed25519`.
    init?(named name: String) {
        guard let algorithm = TokenAlgorithm(rawValue: name == "Ed25519" ? "EdDSA" : name) else { return nil }
        self = algorithm
    }
}
